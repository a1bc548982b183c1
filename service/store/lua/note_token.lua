-- Replace the grant of a token unless it has changed since it was read. This also adds a token of an earlier release
-- to the list of its player's tokens.
--
-- KEYS  1 tokens  hash  SHA-256 of an unrestricted token -> player
--       2 grants  hash  SHA-256 of a token -> its grant
--       3 owned   hash  id of a token of the player -> its SHA-256
-- ARGV  1 player   2 hash of the token   3 its id   4 grant that was read ('' = none)   5 new grant
-- Returns 1, or 0 if the grant has changed.
if (redis.call('HGET', KEYS[2], ARGV[2]) or '') ~= ARGV[4] then return 0 end
if ARGV[4] == '' and redis.call('HGET', KEYS[1], ARGV[2]) ~= ARGV[1] then return 0 end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[5])
redis.call('HSET', KEYS[3], ARGV[3], ARGV[2])
return 1
