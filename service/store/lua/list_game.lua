-- Put a finished game on the lists of its existing players. A list expires with the last of its records.
--
-- KEYS  1 records  hash  player -> record
--       2 ...      zset  game -> when it ended (ms), one for each player
-- ARGV  1 game   2 when it ended (ms)   3 time to live of its record (ms; '' = no expiry)   4 maximum length of a list
--       5 ... players, in the order of their lists
local ttl = tonumber(ARGV[3])
for i = 2, #KEYS do
  if redis.call('HEXISTS', KEYS[1], ARGV[i + 3]) == 1 then
    local left = redis.call('PTTL', KEYS[i])
    redis.call('ZADD', KEYS[i], ARGV[2], ARGV[1])
    redis.call('ZREMRANGEBYRANK', KEYS[i], 0, -ARGV[4] - 1)
    if not ttl then
      redis.call('PERSIST', KEYS[i])
    elseif left == -2 or (left >= 0 and left < ttl) then
      redis.call('PEXPIRE', KEYS[i], ttl)
    end
  end
end
