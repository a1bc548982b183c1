-- Note that a player has confirmed a match.
--
-- KEYS  1 of   hash  player -> ticket
--       2 in, 3 due, 4 match  see take_tickets.lua
-- ARGV  1 player   2 match   3 when to retry seating once all have confirmed (ms)
-- Returns all, some, or gone (the player is not in this match).
local ticket = redis.call('HGET', KEYS[1], ARGV[1])
if not ticket or redis.call('HGET', KEYS[2], ticket) ~= ARGV[2] then return 'gone' end
redis.call('HSET', KEYS[4], 'c:' .. ARGV[1], 1)
if redis.call('HLEN', KEYS[4]) < tonumber(redis.call('HGET', KEYS[4], 'n')) + 2 then return 'some' end
redis.call('ZADD', KEYS[3], ARGV[3], ARGV[2])
return 'all'
