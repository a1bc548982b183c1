-- End rights of a player: tokens, the recovery code, identities, subscriptions. Optionally add a token; announce it.
--
-- KEYS  hashes: 1 records   2 tokens   3 grants   4 owned   5 held   6 recoveries   8 identities   9 linked
--       10 notices   11 recovery givers (see service.store.keys)
--       7 inbox  stream  see inbox.lua
-- ARGV  1 player   2 channel   3 hash of a token or recovery code that must be valid; it ends ('' = none)
--       4 1 = end the token of an earlier release, too, which has no id before its first use
--       5 hash of the new token ('' = none)   6 its id   7 its grant   8 1 = unrestricted   9 ... 15 of put_event (ms)
--       16 number of fields of owned, linked and notices that were read (-1 = not compared), they, and fields to end
-- Returns done; or, without any change, gone (no such player, token or code) or again (other fields exist now).
local player, held, read = ARGV[1], redis.call('HGET', KEYS[5], ARGV[1]) or '', tonumber(ARGV[16])
local owned, chosen, ends, stay, found = redis.call('HGETALL', KEYS[4]), {}, {}, {}, ARGV[3] == ''
local known, count = {}, 0
for i = 17, 16 + read do known[ARGV[i]] = true end
for _, key in ipairs(read >= 0 and {KEYS[4], KEYS[9], KEYS[10]} or {}) do
  for _, field in ipairs(redis.call('HKEYS', key)) do count = count + (known[field] and 1 or 1e9) end
end
if read >= 0 and count ~= read then return 'again' end
for i = 17 + math.max(read, 0), #ARGV do chosen[ARGV[i]] = true end
for i = 1, #owned, 2 do
  found = found or owned[i + 1] == ARGV[3]
  if owned[i + 1] == ARGV[3] or chosen[owned[i]] then ends[owned[i]] = owned[i + 1] else stay[owned[i + 1]] = true end
end
if not found or redis.call('HEXISTS', KEYS[1], player) == 0 then return 'gone' end
-- Add the new token first: with a full memory this fails before anything ends.
if ARGV[5] ~= '' then redis.call('HSET', KEYS[3], ARGV[5], ARGV[7]) redis.call('HSET', KEYS[4], ARGV[6], ARGV[5]) end
if ARGV[8] == '1' then redis.call('HSET', KEYS[2], ARGV[5], player) end
if ARGV[4] == '1' and not stay[held] then ends[''] = held end
for id, hash in pairs(ends) do
  if id ~= ARGV[6] then redis.call('HDEL', KEYS[4], id) end
  for _, key in ipairs({KEYS[2], KEYS[3], KEYS[6]}) do redis.call('HDEL', key, hash) end
  if hash == held then held = '' end
end
if held == '' and ARGV[8] == '1' then held = ARGV[5] end
redis.call('HSET', KEYS[5], player, held)
if ends['recovery'] then redis.call('HDEL', KEYS[11], player) end
for field in pairs(chosen) do
  redis.call('HDEL', KEYS[10], field, field .. ':health')
  local linked = redis.call('HDEL', KEYS[9], field) == 1
  if linked and redis.call('HGET', KEYS[8], field) == player then redis.call('HDEL', KEYS[8], field) end
end
redis.call('PUBLISH', ARGV[2], player)
put_event(KEYS[7], unpack(ARGV, 9, 15))
return 'done'
