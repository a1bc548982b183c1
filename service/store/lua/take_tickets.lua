-- Put tickets into matches: all tickets of a match, or none if one of them no longer waits.
--
-- KEYS  1 waiting  zset  ticket without a match -> start of waiting (ms)
--       2 in       hash  ticket -> its match; '' = none
--       3 due      zset  match -> when to check it (ms)
--       4 ... for each match: hash  m = the match, n = number of players, c:<player> = has confirmed
-- ARGV  1 now (ms)   2 ... for each match: id, match, number of players, number of tickets
--       then the tickets of the first match, of the second ...
-- Returns 1 (all taken) or 0 for each match.
local first = 2 + 4 * (#KEYS - 3)
local is_in, at = redis.call('HMGET', KEYS[2], unpack(ARGV, first)), 0
local made, gone, placed, due, taken = {}, {}, {}, {}, {}
for i = 4, #KEYS do
  local about = 2 + 4 * (i - 4)
  local match, last, waits = ARGV[about], at + tonumber(ARGV[about + 3]), true
  for j = at + 1, last do
    waits = waits and is_in[j] == '' and not taken[ARGV[first + j - 1]]
  end
  if waits then
    for j = at + 1, last do
      local ticket = ARGV[first + j - 1]
      taken[ticket] = true
      gone[#gone + 1] = ticket
      placed[#placed + 1] = ticket
      placed[#placed + 1] = match
    end
    redis.call('HSET', KEYS[i], 'm', ARGV[about + 1], 'n', ARGV[about + 2])
    due[#due + 1] = ARGV[1]
    due[#due + 1] = match
  end
  made[#made + 1] = waits and 1 or 0
  at = last
end
if #gone > 0 then
  redis.call('ZREM', KEYS[1], unpack(gone))
  redis.call('HSET', KEYS[2], unpack(placed))
  redis.call('ZADD', KEYS[3], unpack(due))
end
return made
