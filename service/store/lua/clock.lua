-- Read the clock of the service, which stays monotonic when the server's clock is set back, and record heartbeats.
--
-- KEYS  1 clock  hash  last = server time of the last reading (ms), ahead = how far the service clock was ahead of it
--                      (ms), heard = last heartbeat of the API (ms, service clock), gaps = periods without heartbeats,
--                      "since-until since-until ..." (ms)
-- ARGV  1 the caller's own clock (ms; '' = none yet)
--       2 longest normal pause between two readings (ms)
--       3 while it is ahead, the service clock loses one ms in this many
--       4 longest normal pause between two heartbeats (ms); '' = this call is no heartbeat
--       5 maximum number of gaps
--       6 longest normal pause between two readings by a version without heartbeats (ms)
-- Returns {time of the service (ms since the epoch), heard ('' = never), gaps}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'last', 'ahead', 'heard', 'gaps')
local last, ahead = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
local passed = now - last
local at
if passed < 0 or passed > tonumber(ARGV[2]) then
  -- The server's clock was set, or there was no reading for long. A caller that kept running knows the elapsed time.
  at = math.max(now, last + ahead, tonumber(ARGV[1]) or 0)
else
  at = math.max(now, now + ahead - passed / ARGV[3])
end
local heard, gaps = tonumber(stored[3] or ''), stored[4] or ''
if not heard and stored[1] and passed > tonumber(ARGV[6]) then heard = last + ahead end
if ARGV[4] ~= '' then
  if heard and at - heard > tonumber(ARGV[4]) then
    gaps = gaps .. string.format('%s%.0f-%.0f', gaps == '' and '' or ' ', heard, at)
    if select(2, gaps:gsub('-', '')) > tonumber(ARGV[5]) then gaps = gaps:gsub('^%S+ ', '') end
  end
  heard = at
end
heard = heard and string.format('%.0f', heard) or ''
-- Reading must work with a full memory or disk. A heartbeat that cannot be stored does not count.
local written = redis.pcall('HSET', KEYS[1], 'last', now, 'ahead', at - now, 'heard', heard, 'gaps', gaps)
if type(written) == 'table' and written.err then return {at, stored[3] or '', stored[4] or ''} end
return {at, heard, gaps}
