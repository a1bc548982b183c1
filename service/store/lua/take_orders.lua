-- Let the standing orders of a seat act, if they are still those that were read.
--
-- KEYS  1 orders  hash  see put_orders.lua   2 head  hash  v = version of the table
-- ARGV  1 seat   2 orders as read   3 until when they act (ms)
-- Returns 1, or 0 if they have changed; -1 if the table sleeps.
if is_asleep(redis.call('HGET', KEYS[2], 'v')) then return -1 end
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call('HSET', KEYS[1], ARGV[1] .. ':acting', ARGV[3])
return 1
