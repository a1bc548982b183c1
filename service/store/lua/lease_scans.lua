-- Lease the due scans among the given tables of one bucket. Each becomes due again when the lease ends.
--
-- KEYS  1 notify  zset   table -> when to scan (ms since the epoch)
--       2 ...     heads  of the tables, in the same order
-- ARGV  1 now (ms)   2 end of the lease (ms)   3 and 4 see leave.lua   5 ... tables
-- Returns {table, v, s, o, k} of each leased table, see keys.py. Deleted tables are removed. A table whose head is
-- not a hash gets a lease but is not returned.
local leased = {}
for i = 5, #ARGV do
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if at and tonumber(at) <= tonumber(ARGV[1]) then
    local head = redis.pcall('HMGET', KEYS[i - 3], 'v', 's', 'o', 'k', 'r')
    if head[1] and leave(KEYS[1], ARGV[i], at, head[5], ARGV[3], ARGV[1], ARGV[4]) then
      -- It is due again later, or leased by a process that understands it.
    elseif head.err or head[1] then
      redis.call('ZADD', KEYS[1], ARGV[2], ARGV[i])
      if not head.err then
        leased[#leased + 1] = {ARGV[i], head[1], head[2], head[3] or '', head[4] or ''}
      end
    else
      redis.call('ZREM', KEYS[1], ARGV[i])
    end
  end
end
return leased
