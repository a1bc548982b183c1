-- Make players wait for a game, unless one of them already waits.
--
-- KEYS  1 of       hash  player -> ticket
--       2 tickets  hash  id -> ticket
--       3 waiting  zset  ticket without a match -> start of waiting (ms)
--       4 in       hash  ticket -> its match; '' = none
-- ARGV  1 id   2 ticket   3 now (ms)   4 ... its players
-- Returns '', or the player who already waits.
for i = 4, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then return ARGV[i] end
end
for i = 4, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[4], ARGV[1], '')
return ''
