-- Take those of the given tables of one bucket that are due: each becomes due again when the lease ends.
--
-- KEYS  1 due   zset   table -> when to look at it (ms since the epoch)
--       2 owed  zset   the same, untouched by claims
--       3 ...   heads  of the tables, in their order
-- ARGV  1 now (ms)   2 end of the lease (ms)   3 ... tables
-- Returns table, version, table, version ... of those taken.
--
-- A table that has expired leaves the set. One whose head is no hash waits like the others and is not given out: a
-- broken table must not hold up its neighbours.
local taken = {}
for i = 3, #ARGV do
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if at and tonumber(at) <= tonumber(ARGV[1]) then
    local version = redis.pcall('HGET', KEYS[i], 'v')
    if version then
      redis.call('ZADD', KEYS[1], ARGV[2], ARGV[i])
      if type(version) == 'string' then
        taken[#taken + 1] = ARGV[i]
        taken[#taken + 1] = version
      end
    else
      redis.call('ZREM', KEYS[1], ARGV[i])
      redis.call('ZREM', KEYS[2], ARGV[i])
    end
  end
end
return taken
