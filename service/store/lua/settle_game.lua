-- Write the results of a game's players once, unless a result has changed since it was read.
--
-- KEYS  1 settled  string  exists if the game has been settled; expires
--       2 results  hash    player -> result
--       3 leaders  zset    player -> score
--       4 ...      for each player: list    end of each rated game, and the rating after it
--                                   string  whom the player has met lately; expires
-- ARGV  1 time to live of settled (ms)   2 maximum length of these lists   3 time to live of whom they have met (ms),
--       then six for each player: player, result that was read ('' = none), new result, score ('' = not on the
--       leaderboard), new entry of the list ('' = none), whom the player has met now ('' = unchanged)
-- Returns 'done', 'before' (the game was already settled) or 'changed' (read again).
if redis.call('EXISTS', KEYS[1]) == 1 then
  return 'before'
end
for i = 4, #ARGV, 6 do
  if (redis.call('HGET', KEYS[2], ARGV[i]) or '') ~= ARGV[i + 1] then
    return 'changed'
  end
end
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
for i = 4, #ARGV, 6 do
  redis.call('HSET', KEYS[2], ARGV[i], ARGV[i + 2])
  if ARGV[i + 3] ~= '' then
    redis.call('ZADD', KEYS[3], ARGV[i + 3], ARGV[i])
  end
  if ARGV[i + 4] ~= '' then
    local course = KEYS[4 + (i - 4) / 3]
    redis.call('RPUSH', course, ARGV[i + 4])
    redis.call('LTRIM', course, -ARGV[2], -1)
  end
  if ARGV[i + 5] ~= '' then
    redis.call('SET', KEYS[5 + (i - 4) / 3], ARGV[i + 5], 'PX', ARGV[3])
  end
end
return 'done'
