-- Let players wait for a game, unless one of them waits already.
--
-- KEYS  1 of       hash  player -> ticket
--       2 tickets  hash  ticket -> what it is
--       3 waiting  zset  ticket that is in no match -> since when (ms)
--       4 in       hash  ticket -> the match that it is in; '' = none
-- ARGV  1 ticket   2 what it is   3 now (ms)   4 ... its players
-- Returns '', or the player who waits already.
for i = 4, #ARGV do
  if redis.call('HEXISTS', KEYS[1], ARGV[i]) == 1 then return ARGV[i] end
end
for i = 4, #ARGV do redis.call('HSET', KEYS[1], ARGV[i], ARGV[1]) end
redis.call('HSET', KEYS[2], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[4], ARGV[1], '')
return ''
