-- Find a player by token, in one round trip.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of a token -> player
-- ARGV  1 hash of the token
-- Returns the record, or nil.
local player = redis.call('HGET', KEYS[2], ARGV[1])
return player and redis.call('HGET', KEYS[1], player)
