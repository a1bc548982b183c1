-- Put an event into the inbox of a player, unless the same one is there.
--
-- KEYS  1 records  hash    player -> record
--       2 inbox    stream  see inbox.lua
-- ARGV  1 ... 7 of put_event   8 what the same event has (a part of its text)
-- Returns 1, or 0 if there is no such player, or the event is there.
if redis.call('HEXISTS', KEYS[1], ARGV[7]) == 0 then return 0 end
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', '+')) do
  if string.find(entry[2][2], ARGV[8], 1, true) then return 0 end
end
put_event(KEYS[2], unpack(ARGV, 1, 7))
return 1
