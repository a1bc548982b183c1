-- Answer a challenge unless it has an answer.
--
-- KEYS  1 challenge  hash  c = the challenge, a = the answer
-- ARGV  1 answer
-- Returns the answer now stored, or false if there is no such challenge.
if redis.call('HEXISTS', KEYS[1], 'c') == 0 then return false end
redis.call('HSETNX', KEYS[1], 'a', ARGV[1])
return redis.call('HGET', KEYS[1], 'a')
