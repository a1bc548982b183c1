-- Record the outcome of a delivery, and the health of its subscription.
--
-- KEYS  1 notices  hash  subscriptions of the player
--       2 sent     hash  deliveries of the subscription
--       3 outbox   zset  <subscription>/<delivery> -> when to send it (ms since the epoch)
--       4 over     string  the delivery is over and not kept: a slow messenger may still post it; expires
-- ARGV  1 subscription   2 id of the delivery   3 delivery ('' = delete it)
--       4 when to send it again (ms; '' = never)   5 health of the subscription ('' = unchanged)
--       6 time to live of over (ms)
-- Returns 1, or 0 if the delivery no longer exists.
local member = ARGV[1] .. '/' .. ARGV[2]
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 then
  redis.call('ZREM', KEYS[3], member)
  return 0
end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[2], ARGV[2])
  redis.call('SET', KEYS[4], '1', 'PX', ARGV[6])
else
  redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
end
if ARGV[4] == '' then redis.call('ZREM', KEYS[3], member) else redis.call('ZADD', KEYS[3], ARGV[4], member) end
if ARGV[5] ~= '' and redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 then
  redis.call('HSET', KEYS[1], ARGV[1] .. ':health', ARGV[5])
end
return 1
