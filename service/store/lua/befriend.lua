-- Send a friend request to a player, or accept the player's request, and put events into the inboxes.
--
-- KEYS  1 records  hash    player -> record
--       2 mine     hash    other player -> friend | asked | asks, and time (ms)
--       3 theirs   hash    the same of the other
--       4 blocks   zset    players whom the player has blocked
--       5 their blocks
--       6 inbox, 7 their inbox  see inbox.lua
-- ARGV  1 player   2 other   3 now (ms)   4 maximum of friends and sent requests   5 maximum of received requests
--       6 field of an event   7 friend_made for the player   8 for the other   9 friend_asked for the other
--       10 maximum number of events   11 time to live of an inbox (ms)   12 channel
-- Returns done, asked, made, gone (there is no such player), blocked (by the player), or full.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 or redis.call('HEXISTS', KEYS[1], ARGV[2]) == 0 then return 'gone' end
if redis.call('ZSCORE', KEYS[4], ARGV[2]) then return 'blocked' end
local function count(key, asks)
  local found = 0
  for _, is in ipairs(redis.call('HVALS', key)) do if (is:sub(1, 4) == 'asks') == asks then found = found + 1 end end
  return found
end
local function tell(inbox, event, player)
  put_event(inbox, ARGV[3], ARGV[6], event, ARGV[10], ARGV[11], ARGV[12], player)
end
local mine = string.match(redis.call('HGET', KEYS[2], ARGV[2]) or '', '%a+')
local theirs = string.match(redis.call('HGET', KEYS[3], ARGV[1]) or '', '%a+')
if mine == 'friend' or mine == 'asked' then return 'done' end
if count(KEYS[2], false) >= tonumber(ARGV[4]) then return 'full' end
if theirs == 'asked' then
  redis.call('HSET', KEYS[2], ARGV[2], 'friend ' .. ARGV[3])
  redis.call('HSET', KEYS[3], ARGV[1], 'friend ' .. ARGV[3])
  tell(KEYS[6], ARGV[7], ARGV[1])
  tell(KEYS[7], ARGV[8], ARGV[2])
  return 'made'
end
redis.call('HSET', KEYS[2], ARGV[2], 'asked ' .. ARGV[3])
-- A player who is blocked, or whose request exceeds the maximum, must not notice: the request is not delivered.
if redis.call('ZSCORE', KEYS[5], ARGV[1]) or count(KEYS[3], true) >= tonumber(ARGV[5]) then return 'asked' end
redis.call('HSET', KEYS[3], ARGV[1], 'asks ' .. ARGV[3])
for _, entry in ipairs(redis.call('XRANGE', KEYS[7], '-', '+')) do
  local text = entry[2][2]
  if string.find(text, '"friend_asked"', 1, true) and string.find(text, '"' .. ARGV[1] .. '"', 1, true) then
    return 'asked'
  end
end
tell(KEYS[7], ARGV[9], ARGV[2])
return 'asked'
