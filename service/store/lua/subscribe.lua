-- Store a subscription of a player.
--
-- KEYS  1 records  hash  player -> record
--       2 notices  hash  subscriptions of the player
--       3 owned    hash  id of a token of the player -> its SHA-256
-- ARGV  1 player   2 id   3 subscription   4 prefix of ids of its kind   5 maximum number of its kind
--       6 seq of the last event of the inbox   7 token that makes it ('' = none)
-- Returns done, full (the maximum is reached), or gone (there is no such player or token).
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'gone' end
if ARGV[7] ~= '' and redis.call('HEXISTS', KEYS[3], ARGV[7]) == 0 then return 'gone' end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) == 0 then
  local count = 0
  for _, id in ipairs(redis.call('HKEYS', KEYS[2])) do
    if string.sub(id, 1, #ARGV[4]) == ARGV[4] and not string.find(id, ':', 1, true) then count = count + 1 end
  end
  if count >= tonumber(ARGV[5]) then return 'full' end
end
redis.call('HSET', KEYS[2], ARGV[2], ARGV[3])
redis.call('HSETNX', KEYS[2], 'seq', ARGV[6])
return 'done'
