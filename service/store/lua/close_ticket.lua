-- End a ticket unless it is in a match.
--
-- KEYS  1 of, 2 tickets, 3 waiting, 4 in  see open_ticket.lua
-- ARGV  1 ticket   2 ... its players
-- Returns 1, or 0 if it is in a match or has ended.
if redis.call('ZREM', KEYS[3], ARGV[1]) == 0 then return 0 end
for i = 2, #ARGV do redis.call('HDEL', KEYS[1], ARGV[i]) end
redis.call('HDEL', KEYS[2], ARGV[1])
redis.call('HDEL', KEYS[4], ARGV[1])
return 1
