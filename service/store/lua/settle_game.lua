-- Write the results of a game's players once, unless a result has changed since it was read.
--
-- KEYS  1 settled  string  exists if the game has been settled; expires
--       2 results  hash    player -> result
--       3 leaders  zset    player -> rating
--       4 ...      list    for each player: end of each rated game, and the rating after it
-- ARGV  1 time to live of settled (ms)   2 maximum length of these lists, then five for each player: player, result
--       that was read ('' = none), new result, rating ('' = not on the leaderboard), new entry of the list ('' = none)
-- Returns 'done', 'before' (the game was already settled) or 'changed' (read again).
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 'before'
end
for i = 3, #ARGV, 5 do
  if (redis.call('HGET', KEYS[2], ARGV[i]) or '') ~= ARGV[i + 1] then
    return 'changed'
  end
end
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
for i = 3, #ARGV, 5 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 2])
  if ARGV[i + 3] ~= '' then
    redis.call('ZADD', KEYS[3], ARGV[i + 3], ARGV[i])
  end
  if ARGV[i + 4] ~= '' then
    local course = KEYS[4 + (i - 3) / 5]
    redis.call('RPUSH', course, ARGV[i + 4])
    redis.call('LTRIM', course, -ARGV[2], -1)
  end
end
return 'done'
