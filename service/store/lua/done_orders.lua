-- Let the standing orders of a seat be changed again after they have acted.
--
-- KEYS  1 orders  hash  see put_orders.lua   2 head  hash  v = version of the table
-- ARGV  1 seat   2 latest acts ('' = as before)
-- Returns 0; -1 if the table sleeps.
if is_asleep(redis.call('HGET', KEYS[2], 'v')) then return -1 end
if ARGV[2] ~= '' then redis.call('HSET', KEYS[1], ARGV[1] .. ':acts', ARGV[2]) end
redis.call('HDEL', KEYS[1], ARGV[1] .. ':acting')
return 0
