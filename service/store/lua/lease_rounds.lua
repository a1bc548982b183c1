-- Lease the events that a clock is to examine. Each is due again when the lease ends.
--
-- KEYS  1 rounds  zset   event -> when a clock examines it (ms since the epoch)
-- ARGV  1 now (ms)   2 end of the lease (ms)   3 most events
-- Returns the leased events, those first that are due the longest.
local leased = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[3])
for _, event in ipairs(leased) do
  redis.call('ZADD', KEYS[1], ARGV[2], event)
end
return leased
