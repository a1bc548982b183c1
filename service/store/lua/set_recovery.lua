-- Replace the recovery code of a player.
--
-- KEYS  1 records     hash  player -> record
--       2 recoveries  hash  SHA-256 of a recovery code -> player
--       3 owned       hash  recovery -> SHA-256 of the recovery code of the player
-- ARGV  1 player   2 hash of the new code
-- Returns 1, or 0 if there is no such player.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 0 end
local old = redis.call('HGET', KEYS[3], 'recovery')
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], 'recovery', ARGV[2])
if old and old ~= ARGV[2] then redis.call('HDEL', KEYS[2], old) end
return 1
