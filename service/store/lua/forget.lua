-- Forget a table, now or a while later; it is neither due nor listed any more.
--
-- KEYS  1 head   2 log   3 due   4 lobby   (as in append.lua)
-- ARGV  1 table   2 time to live (ms; 0 = none)   3 channel
redis.call('ZREM', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
if ARGV[2] == '0' then
  redis.call('PUBLISH', ARGV[3], ARGV[1] .. ' 0')
end
