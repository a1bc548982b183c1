-- Add a question of a player to those that wait for a searcher, behind the player's other ones.
--
-- KEYS  1 clients    sorted set  client -> seconds of searchers used while something of it waited
--       2 players    sorted set  player of the client -> the same
--       3 questions  list        what waits of the player
-- ARGV  1 client   2 player   3 question   4 most of a player   5 most players of a client   6 most clients
--       7 expiry (ms)
-- Returns 1; 0 if the question waits already; -1, without any change, if too much waits.
for _, waiting in ipairs(redis.call('LRANGE', KEYS[3], 0, -1)) do
  if waiting == ARGV[3] then return 0 end
end
local function is_full(key, member, most)
  return not redis.call('ZSCORE', key, member) and redis.call('ZCARD', key) >= tonumber(most)
end
if redis.call('LLEN', KEYS[3]) >= tonumber(ARGV[4]) then return -1 end
if is_full(KEYS[2], ARGV[2], ARGV[5]) or is_full(KEYS[1], ARGV[1], ARGV[6]) then return -1 end
-- Who comes begins where the one with the least stands: ahead of nobody's past, behind nobody's future.
local function join(key, member)
  local least = redis.call('ZRANGE', key, 0, 0, 'WITHSCORES')
  redis.call('ZADD', key, 'NX', least[2] or 0, member)
end
join(KEYS[1], ARGV[1])
join(KEYS[2], ARGV[2])
redis.call('RPUSH', KEYS[3], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[7])
redis.call('PEXPIRE', KEYS[3], ARGV[7])
return 1
