-- Schedule scans of a table on behalf of a subscriber who sits there: now, and after each append.
--
-- KEYS  1 head    hash  n = delay between an append and the scan (ms)
--       2 notify  zset  table -> when to scan (ms since the epoch)
-- ARGV  1 table   2 delay that the subscriber wants (ms)   3 now (ms)
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
local soonest = redis.call('HGET', KEYS[1], 'n')
if not soonest or tonumber(soonest) > tonumber(ARGV[2]) then redis.call('HSET', KEYS[1], 'n', ARGV[2]) end
return redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
