-- Note that a table has been looked at, and when to look again.
--
-- KEYS  1 head    hash  n = how long after an append to look (ms), k = "<version> <time>" of the last look
--       2 notify  zset  table -> when to look (ms since the epoch)
-- ARGV  1 table   2 end of the lease (ms)   3 version that was looked at   4 when (ms)
--       5 when to look again (ms; '' = after the next append)   6 n ('' = nobody wants to be told any more)
-- Returns 0 if the claim is not held any more: whoever holds it looks again.
local at = redis.call('ZSCORE', KEYS[2], ARGV[1])
if not at or tonumber(at) ~= tonumber(ARGV[2]) then return 0 end
local version = redis.call('HGET', KEYS[1], 'v')
if not version then return redis.call('ZREM', KEYS[2], ARGV[1]) end
redis.call('HSET', KEYS[1], 'k', ARGV[3] .. ' ' .. ARGV[4])
local next_at = tonumber(ARGV[5])
if version ~= ARGV[3] then
  -- The append found the claim, and did not change it.
  local after = tonumber(ARGV[4]) + tonumber(ARGV[6] ~= '' and ARGV[6] or 0)
  next_at = math.min(next_at or after, after)
elseif ARGV[6] == '' then
  redis.call('HDEL', KEYS[1], 'n')
end
if ARGV[6] ~= '' then redis.call('HSET', KEYS[1], 'n', ARGV[6]) end
if next_at then redis.call('ZADD', KEYS[2], next_at, ARGV[1]) else redis.call('ZREM', KEYS[2], ARGV[1]) end
return 1
