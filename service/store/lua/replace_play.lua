-- Replaces what an event of teams has come to, if it is what the caller read, and says who has entered.
-- KEYS: head, play and entries of the event. ARGV: what was read ("": nothing), what replaces it, how many players have
-- come, of each the id and the entry, and then who has gone.
-- Returns 1: done; 0: it was changed meanwhile; -1: there is no such event.
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then
  return -1
end
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then
  return 0
end
redis.call('SET', KEYS[2], ARGV[2], 'PX', left)
local at = 4
for _ = 1, tonumber(ARGV[3]) do
  redis.call('HSET', KEYS[3], ARGV[at], ARGV[at + 1])
  at = at + 2
end
while ARGV[at] do
  redis.call('HDEL', KEYS[3], ARGV[at])
  at = at + 1
end
redis.call('PEXPIRE', KEYS[3], left)
return 1
