-- Lease the due ones of the given tables of one bucket. Each becomes due again when the lease ends.
--
-- KEYS  1 due   zset   table -> when it is due (ms since the epoch)
--       2 owed  zset   the same, but not changed by leases
--       3 ...   heads  of the tables, in the same order
-- ARGV  1 now (ms)   2 end of the lease (ms)   3 and 4 see leave.lua   5 ... tables
-- Returns {table, version, queue} of each leased table.
--
-- A sleeping table has its place in owed again from now on, so that it counts as overdue like any other.
-- Expired tables are removed. A table whose head is not a hash gets a lease but is not returned: a broken table must
-- not block the others.
local leased = {}
for i = 5, #ARGV do
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if at and tonumber(at) <= tonumber(ARGV[1]) then
    local head = redis.pcall('HMGET', KEYS[i - 2], 'v', 'q', 'r')
    if head[1] and leave(KEYS[1], ARGV[i], at, head[3], ARGV[3], ARGV[1], ARGV[4]) then
      -- It is due again later, or leased by a process that understands it.
    elseif head.err or head[1] then
      redis.call('ZADD', KEYS[1], ARGV[2], ARGV[i])
      if not head.err then
        if is_asleep(head[1]) then redis.call('ZADD', KEYS[2], 'NX', at, ARGV[i]) end
        leased[#leased + 1] = {ARGV[i], head[1], head[2] or ''}
      end
    else
      redis.call('ZREM', KEYS[1], ARGV[i])
      redis.call('ZREM', KEYS[2], ARGV[i])
    end
  end
end
return leased
