-- Define a function that puts an event into the inbox of a player.
--
-- KEYS and ARGV  see the scripts that use it
-- inbox   stream  ids <seq>-0; seq = time of the event (ms), or one more than the previous seq if that is greater
-- at      now (ms)   field, event  of the stream entry; event '' = do nothing
-- most    maximum number of events   ttl  of the inbox after its last event (ms)
-- channel, player  where to publish, and the message
local function put_event(inbox, at, field, event, most, ttl, channel, player)
  if event == '' then return end
  local seq, last = tonumber(at), redis.call('XREVRANGE', inbox, '+', '-', 'COUNT', 1)
  if last[1] then seq = math.max(seq, tonumber(string.match(last[1][1], '%d+')) + 1) end
  redis.call('XADD', inbox, 'MAXLEN', most, string.format('%.0f', seq) .. '-0', field, event)
  redis.call('PEXPIRE', inbox, ttl)
  redis.call('PUBLISH', channel, player)
end
