-- Put tickets into matches. Of each match all of them, or none if one of them does not wait any more.
--
-- KEYS  1 waiting  zset  ticket that is in no match -> since when (ms)
--       2 in       hash  ticket -> the match that it is in; '' = none
--       3 due      zset  match -> when to look at it (ms)
--       4 ... for each match: hash  m = what it is, n = how many people, c:<player> = has confirmed
-- ARGV  1 now (ms)   2 ... for each match: match, what it is, how many people, number of its tickets
--       then the tickets of the first match, of the second ...
-- Returns 1 or 0 for each match.
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
