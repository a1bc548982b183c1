-- Put new deliveries into the outbox.
--
-- KEYS  1 outbox   zset  <subscription>/<delivery> -> when to send it (ms since the epoch)
--       2 ... for each delivery: notices (hash of the player's subscriptions), sent (hash of the subscription's
--       deliveries), over (string, see posted.lua)
-- ARGV  1 time to live (ms)
--       2 ... for each delivery: subscription, id, delivery, when to send it (ms)
-- Returns for each the number of deliveries of its subscription; 0 = it existed, is over, or there is no such
-- subscription.
local counts = {}
for i = 2, #ARGV, 4 do
  local subscription, id, delivery, due = unpack(ARGV, i, i + 3)
  local at, count = 3 * (i - 2) / 4 + 2, 0
  local notices, sent, over = KEYS[at], KEYS[at + 1], KEYS[at + 2]
  local is_new = redis.call('HEXISTS', notices, subscription) == 1 and redis.call('EXISTS', over) == 0
  if is_new and redis.call('HSETNX', sent, id, delivery) == 1 then
    redis.call('PEXPIRE', sent, ARGV[1])
    redis.call('ZADD', KEYS[1], due, subscription .. '/' .. id)
    count = redis.call('HLEN', sent)
  end
  counts[#counts + 1] = count
end
return counts
