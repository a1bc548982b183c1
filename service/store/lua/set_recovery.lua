-- Replace the recovery code of a player.
--
-- KEYS  1 records     hash    player -> record
--       2 recoveries  hash    SHA-256 of a recovery code -> player
--       3 owned       hash    id of a token of the player -> its SHA-256; recovery -> SHA-256 of the recovery code
--       4 givers      hash    player -> token that made the recovery code, and when (ms)
--       5 inbox       stream  see inbox.lua
--       6 notices     hash    subscriptions of the player
--       7 notify      zset    player -> when to check for events to send (ms)
-- ARGV  1 player   2 hash of the new code   3 token that makes it   4 now (ms)   5 ... 11 arguments of put_event
-- Returns 1, or 0 if there is no such player or token.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HEXISTS', KEYS[3], ARGV[3]) == 0 then return 0 end
local old = redis.call('HGET', KEYS[3], 'recovery')
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], 'recovery', ARGV[2])
redis.call('HSET', KEYS[4], ARGV[1], ARGV[3] .. ' ' .. ARGV[4])
if old and old ~= ARGV[2] then redis.call('HDEL', KEYS[2], old) end
put_event(KEYS[5], unpack(ARGV, 5, 11))
if redis.call('EXISTS', KEYS[6]) == 1 then redis.call('ZADD', KEYS[7], ARGV[5], ARGV[1]) end
return 1
