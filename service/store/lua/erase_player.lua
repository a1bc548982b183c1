-- Delete a player with all tokens, the recovery code and the lists, and announce that the tokens are void.
--
-- KEYS  1 records     hash  player -> record
--       2 tokens      hash  SHA-256 of an unrestricted token -> player
--       3 held        hash  player -> SHA-256 of an unrestricted token, for releases before grants
--       4 guests      zset  player without a finished game -> last activity (ms)
--       5 at          zset  tables at which the player sits
--       6 host        zset  tables that the player hosts
--       7 grants      hash  SHA-256 of a token -> its grant
--       8 recoveries  hash  SHA-256 of a recovery code -> player
--       9 owned       hash  id of a token of the player -> its SHA-256; recovery -> SHA-256 of the recovery code
--      10 games       zset  finished games of the player
--      11 inbox      stream  see inbox.lua
--      12 notices    hash  subscriptions of the player
--      13 notify     zset  player -> when to check for events to send (ms)
--      14 blocks     zset  players whom the player has blocked
--      15 friends    hash  other player -> friend | asked | asks, and time (ms)
--      16 here       zset  player -> last time noted as present (ms)
--      17 identities hash  SHA-256 of an identity -> player
--      18 linked     hash  SHA-256 of an identity of the player -> details of it
--      19 givers     hash  player -> token that made the recovery code, and when (ms)
--      20 ... `friends` hashes of the given other players, then hashes of the deliveries of subscriptions
-- ARGV  1 player   2 delete only a guest without activity since (ms; '' = any player)   3 channel
--       4 ... other players: all in the player's `friends`
-- Returns 1; 0 if there is no such player; -1 if `friends` has a player who is not among the given ones.
if ARGV[2] ~= '' then
  local seen = redis.call('ZSCORE', KEYS[4], ARGV[1])
  if not seen or tonumber(seen) >= tonumber(ARGV[2]) then return 0 end
end
local theirs = {}
for i = 4, #ARGV do theirs[ARGV[i]] = KEYS[16 + i] end
for _, other in ipairs(redis.call('HKEYS', KEYS[15])) do if not theirs[other] then return -1 end end
local hashes = redis.call('HVALS', KEYS[9])
hashes[#hashes + 1] = redis.call('HGET', KEYS[3], ARGV[1]) or ''
for _, hash in ipairs(hashes) do
  for _, key in ipairs({KEYS[2], KEYS[7], KEYS[8]}) do redis.call('HDEL', key, hash) end
end
for _, key in ipairs({KEYS[3], KEYS[19]}) do redis.call('HDEL', key, ARGV[1]) end
for _, hash in ipairs(redis.call('HKEYS', KEYS[18])) do redis.call('HDEL', KEYS[17], hash) end
for _, friends in pairs(theirs) do redis.call('HDEL', friends, ARGV[1]) end
for _, key in ipairs({KEYS[4], KEYS[13], KEYS[16]}) do redis.call('ZREM', key, ARGV[1]) end
redis.call('DEL', KEYS[5], KEYS[6], unpack(KEYS, 9, 12))
redis.call('DEL', KEYS[14], KEYS[15], KEYS[18], unpack(KEYS, 17 + #ARGV))
redis.call('PUBLISH', ARGV[3], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[1])
