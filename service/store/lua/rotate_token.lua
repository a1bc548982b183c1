-- Replace the token of a player, and say so. Idempotent.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of a token -> player
--       3 held     hash  player -> SHA-256 of the token
-- ARGV  1 player   2 hash of the new token   3 channel
-- Returns 1; 0 if there is no such player; -1 if the token is another player's.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then
  return 0
end
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] then
  return -1
end
redis.call('HDEL', KEYS[2], redis.call('HGET', KEYS[3], ARGV[1]))
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('PUBLISH', ARGV[3], ARGV[1])
return 1
