-- Delete a player with all tokens, the recovery code and the lists, and announce that the tokens are void.
--
-- KEYS  1 records     hash  player -> record
--       2 tokens      hash  SHA-256 of an unrestricted token -> player
--       3 grants      hash  SHA-256 of a token -> its grant
--       4 recoveries  hash  SHA-256 of a recovery code -> player
--       5 held        hash  player -> SHA-256 of an unrestricted token, for releases before grants
--       6 givers      hash  player -> token that made the recovery code, and when (ms)
--       7 guests      zset  player without a finished game -> last activity (ms)
--       8 notify      zset  player -> when to check for events to send (ms)
--       9 here        zset  player -> last time noted as present (ms)
--      10 identities  hash  SHA-256 of an identity -> player
--      11 owned       hash  id of a token of the player -> its SHA-256; recovery -> SHA-256 of the recovery code
--      12 friends     hash  other player -> friend | asked | asks, and time (ms)
--      13 linked      hash  SHA-256 of an identity of the player -> details of it
--      14 ... `friends` hashes of the given other players, then all keys that go with the player
-- ARGV  1 player   2 delete only a guest without activity since (ms; '' = any player)   3 channel
--       4 ... other players: all in the player's `friends`
-- Returns 1; 0 if there is no such player; -1 if `friends` has a player who is not among the given ones.
if ARGV[2] ~= '' then
  local seen = redis.call('ZSCORE', KEYS[7], ARGV[1])
  if not seen or tonumber(seen) >= tonumber(ARGV[2]) then return 0 end
end
local theirs = {}
for i = 4, #ARGV do theirs[ARGV[i]] = KEYS[10 + i] end
for _, other in ipairs(redis.call('HKEYS', KEYS[12])) do if not theirs[other] then return -1 end end
local hashes = redis.call('HVALS', KEYS[11])
hashes[#hashes + 1] = redis.call('HGET', KEYS[5], ARGV[1]) or ''
for _, hash in ipairs(hashes) do
  for i = 2, 4 do redis.call('HDEL', KEYS[i], hash) end
end
for i = 5, 6 do redis.call('HDEL', KEYS[i], ARGV[1]) end
for i = 7, 9 do redis.call('ZREM', KEYS[i], ARGV[1]) end
for _, hash in ipairs(redis.call('HKEYS', KEYS[13])) do redis.call('HDEL', KEYS[10], hash) end
for _, friends in pairs(theirs) do redis.call('HDEL', friends, ARGV[1]) end
redis.call('DEL', unpack(KEYS, 11 + #ARGV))
redis.call('PUBLISH', ARGV[3], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
