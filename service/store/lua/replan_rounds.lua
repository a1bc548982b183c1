-- Note when a clock examines a leased event again. An event that was planned anew since the lease stays as it is.
--
-- KEYS  1 rounds  zset   event -> when a clock examines it (ms since the epoch)
-- ARGV  1 event   2 end of the lease (ms)   3 when to examine it again (ms); empty: never
local at = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not at or tonumber(at) ~= tonumber(ARGV[2]) then
  return
end
if ARGV[3] == '' then
  redis.call('ZREM', KEYS[1], ARGV[1])
else
  redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
