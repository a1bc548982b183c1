-- Make every table of one bucket that is due later due now, so that it notices additional time.
--
-- KEYS  1 due   zset   table -> when it is due (ms since the epoch)
--       2 owed  zset   the same, but not changed by leases
-- ARGV  1 now (ms)
-- Returns the number of these tables.
local later = redis.call('ZRANGEBYSCORE', KEYS[2], '(' .. ARGV[1], '+inf')
for _, table_id in ipairs(later) do redis.call('ZADD', KEYS[1], 'XX', ARGV[1], table_id) end
return #later
