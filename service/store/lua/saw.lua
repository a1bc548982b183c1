-- Record up to which event the inbox of a player was processed.
--
-- KEYS  1 notices  hash    subscriptions of the player, seq = that event
--       2 notify   zset    player -> when to check for events to send (ms since the epoch)
--       3 inbox    stream  see inbox.lua
-- ARGV  1 player   2 seq
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'seq', ARGV[2]) end
local last = redis.call('XREVRANGE', KEYS[3], '+', '-', 'COUNT', 1)
if last[1] and tonumber(string.match(last[1][1], '%d+')) > tonumber(ARGV[2]) then return 0 end
return redis.call('ZREM', KEYS[2], ARGV[1])
