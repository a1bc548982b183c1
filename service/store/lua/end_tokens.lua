-- Revoke one or all tokens of a player, optionally add a new one in their place, and announce it.
--
-- KEYS  1 records     hash  player -> record
--       2 tokens      hash  SHA-256 of an unrestricted token -> player
--       3 grants      hash  SHA-256 of a token -> its grant
--       4 owned       hash  id of a token of the player -> its SHA-256; recovery -> SHA-256 of the recovery code
--       5 held        hash  player -> SHA-256 of an unrestricted token, for releases before grants
--       6 recoveries  hash  SHA-256 of a recovery code -> player
--       7 inbox       stream  see inbox.lua
-- ARGV  1 player   2 channel   3 hash of the token or recovery code to revoke   4 1 = revoke all tokens, too
--       5 hash of the new token ('' = none)   6 its id   7 its grant   8 1 = unrestricted
--       9 ... 15 arguments of put_event
-- Returns done; or, without any change, gone (no such player, token or code).
local player, held, ends, found = ARGV[1], redis.call('HGET', KEYS[5], ARGV[1]) or '', {}, false
local owned = redis.call('HGETALL', KEYS[4])
for i = 1, #owned, 2 do
  found = found or owned[i + 1] == ARGV[3]
  if owned[i + 1] == ARGV[3] or (ARGV[4] == '1' and owned[i] ~= 'recovery') then ends[owned[i]] = owned[i + 1] end
end
if not found or redis.call('HEXISTS', KEYS[1], player) == 0 then return 'gone' end
-- Add the new token first: with a full memory this fails before anything is revoked.
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[7])
  redis.call('HSET', KEYS[4], ARGV[6], ARGV[5])
  if ARGV[8] == '1' then redis.call('HSET', KEYS[2], ARGV[5], player) end
end
-- A token made by an earlier release has no id before its first use.
if ARGV[4] == '1' then ends[''] = held end
for id, hash in pairs(ends) do
  if id ~= ARGV[6] then redis.call('HDEL', KEYS[4], id) end
  for _, key in ipairs({KEYS[2], KEYS[3], KEYS[6]}) do redis.call('HDEL', key, hash) end
  if hash == held then held = '' end
end
if held == '' and ARGV[8] == '1' then held = ARGV[5] end
redis.call('HSET', KEYS[5], player, held)
redis.call('PUBLISH', ARGV[2], player)
put_event(KEYS[7], unpack(ARGV, 9, 15))
return 'done'
