-- Block a player: ends a friendship, and what the other has asked.
--
-- KEYS  1 records  hash  player -> record
--       2 blocks   zset  whom the player has blocked -> since when (ms)
--       3 mine     hash  other -> friend | asked | asks, and since when (ms)
--       4 theirs   hash  the same of the other
-- ARGV  1 player   2 other   3 now (ms)   4 most blocks
-- Returns done, gone (there is no such player), or full.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return 'gone' end
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then return 'done' end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 'full' end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
local mine = redis.call('HGET', KEYS[3], ARGV[2]) or ''
redis.call('HDEL', KEYS[3], ARGV[2])
-- What the other has asked stays asked for the other, who learns nothing.
if string.sub(mine, 1, 4) ~= 'asks' then redis.call('HDEL', KEYS[4], ARGV[1]) end
return 'done'
