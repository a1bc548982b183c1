-- Block a player. This ends a friendship and removes a friend request of the blocked player.
--
-- KEYS  1 records  hash  player -> record
--       2 blocks   zset  blocked player -> time (ms)
--       3 mine     hash  other player -> friend | asked | asks, and time (ms)
--       4 theirs   hash  the same of the other
-- ARGV  1 player   2 other   3 now (ms)   4 maximum number of blocks   5 channel: streams of both check their rights
-- Returns done, gone (there is no such player), or full.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return 'gone' end
if redis.call('ZSCORE', KEYS[2], ARGV[2]) then return 'done' end
if redis.call('ZCARD', KEYS[2]) >= tonumber(ARGV[4]) then return 'full' end
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[2])
local mine = redis.call('HGET', KEYS[3], ARGV[2]) or ''
redis.call('HDEL', KEYS[3], ARGV[2])
-- The blocked player must not notice, so keeps the own request.
if string.sub(mine, 1, 4) ~= 'asks' then redis.call('HDEL', KEYS[4], ARGV[1]) end
for _, each in ipairs({ARGV[1], ARGV[2]}) do redis.call('PUBLISH', ARGV[5], each) end
return 'done'
