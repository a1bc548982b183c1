-- Link an identity to a player, and consume a code.
--
-- KEYS  1 records     hash    player -> record
--       2 identities  hash    SHA-256 of an identity -> player
--       3 linked      hash    SHA-256 of an identity of the player -> details of it
--       4 code        string  the code
--       5 owned       hash    id of a token of the player -> its SHA-256
--       6 inbox       stream  see inbox.lua
--       7 notices     hash    subscriptions of the player
--       8 notify      zset    player -> when to check for events to send (ms)
-- ARGV  1 player   2 hash of the identity   3 details of it   4 maximum number of identities   5 calling token
--       6 ... 12 arguments of put_event
-- Returns done; or, without any change, gone (no such player, code or token), taken (by another player) or full.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('EXISTS', KEYS[4]) == 0 then return 'gone' end
if redis.call('HEXISTS', KEYS[5], ARGV[5]) == 0 then return 'gone' end
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] and redis.call('HEXISTS', KEYS[1], owner) == 1 then return 'taken' end
local is_new = redis.call('HEXISTS', KEYS[3], ARGV[2]) == 0
if is_new and redis.call('HLEN', KEYS[3]) >= tonumber(ARGV[4]) then return 'full' end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSETNX', KEYS[3], ARGV[2], ARGV[3])
redis.call('DEL', KEYS[4])
if is_new then
  put_event(KEYS[6], unpack(ARGV, 6, 12))
  if redis.call('EXISTS', KEYS[7]) == 1 then redis.call('ZADD', KEYS[8], ARGV[6], ARGV[1]) end
end
return 'done'
