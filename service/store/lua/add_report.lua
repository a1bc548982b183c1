-- Keep a report; the oldest beyond a number go.
--
-- KEYS  1 reports  hash  report -> what it is
--       2 order    zset  report -> when it was made (ms)
-- ARGV  1 report   2 what it is   3 now (ms)   4 most reports
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
for _, old in ipairs(redis.call('ZRANGE', KEYS[2], 0, -1 - tonumber(ARGV[4]))) do
  redis.call('HDEL', KEYS[1], old)
  redis.call('ZREM', KEYS[2], old)
end
return 1
