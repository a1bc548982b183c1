-- Defines what scripts share that put an event into the inbox of a player.
--
-- KEYS and ARGV  those of the scripts that use it
-- inbox   stream  ids <seq>-0; seq: when it was put there (ms), or one more than that of the event before
-- at      now (ms)   event: field and value; '' = there is none
-- most    events that are kept   ttl: for how long after the last one (ms)
-- channel, player: what is published
local function put_event(inbox, at, field, event, most, ttl, channel, player)
  if event == '' then return end
  local seq, last = tonumber(at), redis.call('XREVRANGE', inbox, '+', '-', 'COUNT', 1)
  if last[1] then seq = math.max(seq, tonumber(string.match(last[1][1], '%d+')) + 1) end
  redis.call('XADD', inbox, 'MAXLEN', most, string.format('%.0f', seq) .. '-0', field, event)
  redis.call('PEXPIRE', inbox, ttl)
  redis.call('PUBLISH', channel, player)
end
