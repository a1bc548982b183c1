-- Delete a subscription and its deliveries.
--
-- KEYS  1 notices  hash  subscriptions of the player
--       2 sent     hash  deliveries of the subscription
-- ARGV  1 id
-- Returns 1, or 0 if there is no such subscription.
redis.call('HDEL', KEYS[1], ARGV[1] .. ':health')
redis.call('DEL', KEYS[2])
return redis.call('HDEL', KEYS[1], ARGV[1])
