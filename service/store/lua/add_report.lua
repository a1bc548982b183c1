-- Store a report, and delete the oldest beyond the maximum.
--
-- KEYS  1 reports  hash  id -> report
--       2 order    zset  id -> creation time (ms)
-- ARGV  1 id   2 report   3 now (ms)   4 maximum number of reports
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
for _, old in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1 - tonumber(ARGV[4]))) do
  redis.call('HDEL', KEYS[1], old)
  redis.call('ZREM', KEYS[2], old)
end
return 1
