-- Take the next question of those that wait for a searcher: of the client that has used the least, and there of the
-- player who has. Both are charged a step in advance, so that another searcher chooses somebody else.
--
-- KEYS  1 clients  sorted set  see ask.lua; the other keys are named after it, which no cluster would
--                             allow, but the queues are on none: <clients>:<client>[:<player>]
-- ARGV  1 seconds of a step
-- Returns client, player, question, seconds used by the client and by the player with this step; nil if nothing waits.
while true do
  local client = redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  if not client then return false end
  local players = KEYS[1] .. ':' .. client
  local player = redis.call('ZRANGE', players, 0, 0)[1]
  local question = player and redis.call('LPOP', players .. ':' .. player)
  if question then
    local used = {redis.call('ZINCRBY', KEYS[1], ARGV[1], client), redis.call('ZINCRBY', players, ARGV[1], player)}
    if redis.call('EXISTS', players .. ':' .. player) == 0 then redis.call('ZREM', players, player) end
    if redis.call('EXISTS', players) == 0 then redis.call('ZREM', KEYS[1], client) end
    return {client, player, question, used[1], used[2]}
  elseif player then
    redis.call('ZREM', players, player)
  else
    redis.call('ZREM', KEYS[1], client)
  end
end
