-- Put an event into the inbox of a player, unless it is already there.
--
-- KEYS  1 records  hash    player -> record
--       2 inbox    stream  see inbox.lua
--       3 notices  hash    subscriptions of the player
--       4 notify   zset    player -> when to check for events to send (ms since the epoch)
-- ARGV  1 ... 7 arguments of put_event   8 and 9 parts of the text that identify the event
-- Returns 1, or 0 if there is no such player or the event is already there.
if redis.call('HEXISTS', KEYS[1], ARGV[7]) == 0 then return 0 end
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  local text = entry[2][2]
  if string.find(text, ARGV[8], 1, true) and string.find(text, ARGV[9], 1, true) then return 0 end
end
put_event(KEYS[2], unpack(ARGV, 1, 7))
if redis.call('EXISTS', KEYS[3]) == 1 then redis.call('ZADD', KEYS[4], ARGV[1], ARGV[7]) end
return 1
