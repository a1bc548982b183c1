-- Unlink an identity from a player.
--
-- KEYS  1 identities  hash  SHA-256 of an identity -> player
--       2 linked      hash  SHA-256 of an identity of the player -> details of it
-- ARGV  1 player   2 hash of the identity   3 1 = allow removing the last one
-- Returns done; or, without any change, gone (the player has no such identity) or last.
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 then return 'gone' end
if ARGV[3] ~= '1' and redis.call('HLEN', KEYS[2]) == 1 then return 'last' end
redis.call('HDEL', KEYS[2], ARGV[2])
if redis.call('HGET', KEYS[1], ARGV[2]) == ARGV[1] then redis.call('HDEL', KEYS[1], ARGV[2]) end
return 'done'
