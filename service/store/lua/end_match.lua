-- End a match. Each of its tickets ends or waits again.
--
-- KEYS  1 of, 2 tickets, 3 waiting, 4 in  see open_ticket.lua
--       5 due, 6 match                    see take_tickets.lua
-- ARGV  1 match
--       2 reason: seated = all tickets end; late = tickets with an unconfirmed player end; or the ticket that ends
--       3 ... for each ticket: ticket, start of waiting (ms), number of its players, players
-- Returns the tickets that have ended; nil if the match is over, or if all have confirmed (unless seated).
local count = redis.call('HGET', KEYS[6], 'n')
if not count then return nil end
if ARGV[2] ~= 'seated' and redis.call('HLEN', KEYS[6]) >= tonumber(count) + 2 then return nil end
local ended, at = {}, 3
while at <= #ARGV do
  local ticket, last = ARGV[at], at + 2 + tonumber(ARGV[at + 2])
  local ends = ARGV[2] == 'seated' or ARGV[2] == ticket
  for i = at + 3, last do
    if ARGV[2] == 'late' and redis.call('HEXISTS', KEYS[6], 'c:' .. ARGV[i]) == 0 then ends = true end
  end
  if ends then
    ended[#ended + 1] = ticket
    for i = at + 3, last do redis.call('HDEL', KEYS[1], ARGV[i]) end
    redis.call('HDEL', KEYS[2], ticket)
    redis.call('HDEL', KEYS[4], ticket)
  else
    redis.call('ZADD', KEYS[3], ARGV[at + 1], ticket)
    redis.call('HSET', KEYS[4], ticket, '')
  end
  at = last + 1
end
redis.call('DEL', KEYS[6])
redis.call('ZREM', KEYS[5], ARGV[1])
return ended
