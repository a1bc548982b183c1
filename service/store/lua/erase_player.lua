-- Delete a player, and say that the token is void.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of a token -> player
--       3 held     hash  player -> SHA-256 of the token
--       4 guests   zset  player without a finished game -> when last heard of (ms)
--       5 at       zset  tables at which the player sits
--       6 host     zset  tables that the player hosts
-- ARGV  1 player   2 delete only a guest not heard of since (ms; '' = any player)   3 channel
-- Returns 1, or 0 if there is no such player.
if ARGV[2] ~= '' then
  local seen = redis.call('ZSCORE', KEYS[4], ARGV[1])
  if not seen or tonumber(seen) >= tonumber(ARGV[2]) then return 0 end
end
local token = redis.call('HGET', KEYS[3], ARGV[1])
if token then
  redis.call('HDEL', KEYS[2], token)
end
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('DEL', KEYS[5], KEYS[6])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
