-- Store a report, or an objection. Beyond the maximum of its author, the author's oldest goes; beyond the maximum of all,
-- the oldest of whoever has made the most, and of those about whom most are. So many never displace a lone one.
--
-- KEYS  1 entries  hash  id -> report or objection
--       2 order    zset  id -> creation time (ms)
--       3 marks    hash  id -> author and subject; reports of releases before 0.4 have none
-- ARGV  1 id   2 entry   3 now (ms)   4 maximum number of entries   5 maximum number of an author
--       6 author   7 subject
redis.call('HSET', KEYS[1], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[2], ARGV[3], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[6] .. ' ' .. ARGV[7])
local order, author, subject = redis.call('ZRANGE', KEYS[2], 0, -1), {}, {}
local by, about = {}, {}
for at, mark in ipairs(redis.call('HMGET', KEYS[3], unpack(order))) do
  local id = order[at]
  author[id], subject[id] = string.match(mark or (id .. ' ' .. id), '(%S*) (%S*)')
  by[author[id]] = (by[author[id]] or 0) + 1
  about[subject[id]] = (about[subject[id]] or 0) + 1
end
local function drop(at)
  local id = table.remove(order, at)
  by[author[id]], about[subject[id]] = by[author[id]] - 1, about[subject[id]] - 1
  redis.call('HDEL', KEYS[1], id)
  redis.call('ZREM', KEYS[2], id)
  redis.call('HDEL', KEYS[3], id)
end
local function oldest(ranks_before)
  local found = 1
  for at = 2, #order do if ranks_before(order[at], order[found]) then found = at end end
  return found
end
while by[ARGV[6]] > tonumber(ARGV[5]) do
  drop(oldest(function(id, other) return author[id] == ARGV[6] and author[other] ~= ARGV[6] end))
end
while #order > tonumber(ARGV[4]) do
  drop(oldest(function(id, other)
    local more = by[author[id]] - by[author[other]]
    return more > 0 or (more == 0 and about[subject[id]] > about[subject[other]])
  end))
end
return 1
