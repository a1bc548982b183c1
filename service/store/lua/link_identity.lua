-- Link an identity to a player, and consume a code.
--
-- KEYS  1 records     hash    player -> record
--       2 identities  hash    SHA-256 of an identity -> player
--       3 linked      hash    SHA-256 of an identity of the player -> details of it
--       4 code        string  the code
-- ARGV  1 player   2 hash of the identity   3 details of it   4 maximum number of identities
-- Returns done; or, without any change, gone (no such player or code), taken (by another player) or full.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('EXISTS', KEYS[4]) == 0 then return 'gone' end
local owner = redis.call('HGET', KEYS[2], ARGV[2])
if owner and owner ~= ARGV[1] and redis.call('HEXISTS', KEYS[1], owner) == 1 then return 'taken' end
if redis.call('HEXISTS', KEYS[3], ARGV[2]) == 0 and redis.call('HLEN', KEYS[3]) >= tonumber(ARGV[4]) then
  return 'full'
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSETNX', KEYS[3], ARGV[2], ARGV[3])
redis.call('DEL', KEYS[4])
return 'done'
