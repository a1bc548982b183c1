-- Delete a player, and say that the token is void.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of a token -> player
--       3 held     hash  player -> SHA-256 of the token
--       4 at       zset  tables at which the player sits
-- ARGV  1 player   2 channel
-- Returns 1, or 0 if there is no such player.
local token = redis.call('HGET', KEYS[3], ARGV[1])
if token then
  redis.call('HDEL', KEYS[2], token)
end
redis.call('HDEL', KEYS[3], ARGV[1])
redis.call('DEL', KEYS[4])
redis.call('PUBLISH', ARGV[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
