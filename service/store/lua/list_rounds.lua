-- Put finished rounds on the list of a player, unless they are there or the player does not exist (any more).
--
-- KEYS  1 records  hash  player -> record
--       2 list     zset  round -> when it was over (ms)
-- ARGV  1 player   2 time (ms)   3 maximum length of the list   4 time to live of the list (ms)   5 ... rounds
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return
end
for i = 5, #ARGV do
  redis.call('ZADD', KEYS[2], 'NX', ARGV[2], ARGV[i])
end
redis.call('ZREMRANGEBYRANK', KEYS[2], 0, -ARGV[3] - 1)
redis.call('PEXPIRE', KEYS[2], ARGV[4])
