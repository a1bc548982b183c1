-- Put a delivery into the outbox, unless it has been there.
--
-- KEYS  1 notices  hash  subscriptions of the player
--       2 sent     hash  deliveries of the subscription
--       3 outbox   zset  <subscription>/<delivery> -> when it is to be sent (ms since the epoch)
-- ARGV  1 subscription   2 id of the delivery   3 delivery   4 when it is to be sent (ms)   5 time to live (ms)
-- Returns how many deliveries there are; 0: it was there, or there is no such subscription.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
if redis.call('HSETNX', KEYS[2], ARGV[2], ARGV[3]) == 0 then return 0 end
redis.call('PEXPIRE', KEYS[2], ARGV[5])
redis.call('ZADD', KEYS[3], ARGV[4], ARGV[1] .. '/' .. ARGV[2])
return redis.call('HLEN', KEYS[2])
