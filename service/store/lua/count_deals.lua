-- Count the deals of a finished game, once.
--
-- KEYS  1 counted  string  exists if the game has been counted; expires
--       2 deals    hash    counter -> number
-- ARGV  1 time to live of counted (ms), then two for each counter: its name, and by how much it grows
-- Returns 1, or 0 if the game was counted before.
if not redis.call('SET', KEYS[1], '1', 'NX', 'PX', ARGV[1]) then
  return 0
end
for i = 2, #ARGV, 2 do
  redis.call('HINCRBY', KEYS[2], ARGV[i], ARGV[i + 1])
end
return 1
