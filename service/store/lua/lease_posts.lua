-- Lease the due ones of the given deliveries. Each becomes due again when the lease ends.
--
-- KEYS  1 outbox  zset    <subscription>/<delivery> -> when to send it (ms since the epoch)
--       2 ...     hashes  of the deliveries of their subscriptions, in the same order
-- ARGV  1 now (ms)   2 end of the lease (ms)   3 ... <subscription>/<delivery>
-- Returns the leased deliveries. Deleted deliveries are removed.
local leased = {}
for i = 3, #ARGV do
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  if at and tonumber(at) <= tonumber(ARGV[1]) then
    local delivery = redis.call('HGET', KEYS[i - 1], string.match(ARGV[i], '/(.*)'))
    if delivery then
      redis.call('ZADD', KEYS[1], ARGV[2], ARGV[i])
      leased[#leased + 1] = delivery
    else
      redis.call('ZREM', KEYS[1], ARGV[i])
    end
  end
end
return leased
