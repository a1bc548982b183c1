-- Replace a field of a hash if its value has not changed since it was read.
--
-- KEYS  1 hash
-- ARGV  1 field   2 value that was read   3 new value
-- Returns 1, or 0 if the value has changed.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
return 1
