-- Answer a challenge, if nobody has.
--
-- KEYS  1 challenge  hash  c = what it is, a = the answer
-- ARGV  1 the answer
-- Returns the answer that it has now, or false if there is no such challenge.
if redis.call('HEXISTS', KEYS[1], 'c') == 0 then return false end
redis.call('HSETNX', KEYS[1], 'a', ARGV[1])
return redis.call('HGET', KEYS[1], 'a')
