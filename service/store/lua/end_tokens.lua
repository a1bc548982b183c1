-- End a token or all tokens of a player, and perhaps begin one in their place; say so.
--
-- KEYS  1 records     hash  player -> record
--       2 tokens      hash  SHA-256 of an unrestricted token -> player
--       3 grants      hash  SHA-256 of a token -> what it is
--       4 owned       hash  id of a token of the player -> its SHA-256; recovery -> that of the recovery code
--       5 held        hash  player -> SHA-256 of an unrestricted token, for releases before grants
--       6 recoveries  hash  SHA-256 of a recovery code -> player
--       7 inbox       stream  see inbox.lua
-- ARGV  1 player   2 channel   3 hash of the token or the recovery code that ends   4 1 = so do all tokens
--       5 hash of the new token ('' = none)   6 its id   7 its grant   8 1 = it is unrestricted
--       9 ... 15 of put_event
-- Returns done; or, having changed nothing, gone: there is no such player, token or code.
local player, held, ends, found = ARGV[1], redis.call('HGET', KEYS[5], ARGV[1]) or '', {}, false
local owned = redis.call('HGETALL', KEYS[4])
for i = 1, #owned, 2 do
  found = found or owned[i + 1] == ARGV[3]
  if owned[i + 1] == ARGV[3] or (ARGV[4] == '1' and owned[i] ~= 'recovery') then ends[owned[i]] = owned[i + 1] end
end
if not found or redis.call('HEXISTS', KEYS[1], player) == 0 then return 'gone' end
-- What begins comes first: if the memory is full, nothing has ended.
if ARGV[5] ~= '' then
  redis.call('HSET', KEYS[3], ARGV[5], ARGV[7])
  redis.call('HSET', KEYS[4], ARGV[6], ARGV[5])
  if ARGV[8] == '1' then redis.call('HSET', KEYS[2], ARGV[5], player) end
end
-- The one that an earlier release made has no id before it is used.
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
