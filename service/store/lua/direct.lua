-- Note that a player directs a team event, perhaps once more, unless the player directs too many.
--
-- KEYS  1 directed  sorted set  team event -> until when it counts (ms)
-- ARGV  1 event   2 until when it counts (ms)   3 now (ms)   4 maximum number of events that count
--       5 how long an event is known after that (ms)
-- Returns 1; 0, without any change, if the player directs too many.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[3] - ARGV[5])
local known = redis.call('ZSCORE', KEYS[1], ARGV[1])
if known and tonumber(known) > tonumber(ARGV[3]) then return 1 end
if redis.call('ZCOUNT', KEYS[1], '(' .. ARGV[3], '+inf') >= tonumber(ARGV[4]) then return 0 end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
redis.call('PEXPIRE', KEYS[1], ARGV[2] - ARGV[3] + ARGV[5])
return 1
