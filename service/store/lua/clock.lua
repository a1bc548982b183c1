-- Read the clock of the service, which stays monotonic when the server's clock is set back, and record heartbeats.
--
-- KEYS  1 clock  hash  last = server time of the last reading (ms), ahead = how far the service clock was ahead of it
--                      (ms), heard = last heartbeat of the API (ms, service clock), gaps = periods without heartbeats,
--                      "since-until since-until ..." (ms)
-- ARGV  1 service time by the caller's own clock when it asked (ms; '' = none yet)
--       2 server time of the answer after which it looked at that clock (ms; '' = it asks for the first time)
--       3 longest usual pause between two readings, and longest usual delay of a request (ms)
--       4 while it is ahead, the service clock loses one ms in this many
--       5 most by which the clocks of two processes differ (ms)
--       6 longest normal pause between two heartbeats (ms); '' = this call is no heartbeat   7 most gaps
--       8 longest normal pause between two readings by a version without heartbeats (ms)
-- Returns {time of the service (ms since the epoch), heard ('' = never), gaps, server time (ms), what was not noted}:
-- the last is '', 'doubt' (nothing counts; ask again at once, with ARGV 2), or the server's error.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'last', 'ahead', 'heard', 'gaps')
local last, ahead = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
local own, seen, pause, tolerance = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[5])
local passed = now - last
-- The time if nobody has set the server's clock since the last reading.
local at = now + math.max(0, ahead - passed / ARGV[4])
local was_set = passed < 0 or (own and own - at > tolerance)
-- Or it was set forward, or the request has waited. Without an own time this matters only while the clock is ahead.
local may_be_set = own and at - own > pause or not own and passed > pause and ahead > tolerance
if was_set or may_be_set then
  -- The processes that kept running know the time. A request that may have waited for long says nothing.
  local is_fresh = own and seen and now >= seen and now - seen <= pause
  if was_set or passed > pause then at = math.max(now, last + ahead, own or 0) end
  if not is_fresh then return {at, stored[3] or '', stored[4] or '', now, 'doubt'} end
end
local heard, gaps = tonumber(stored[3] or ''), stored[4] or ''
if not heard and stored[1] and passed > tonumber(ARGV[8]) then heard = last + ahead end
if ARGV[6] ~= '' then
  if heard and at - heard > tonumber(ARGV[6]) then
    gaps = gaps .. string.format('%s%.0f-%.0f', gaps == '' and '' or ' ', heard, at)
    if select(2, gaps:gsub('-', '')) > tonumber(ARGV[7]) then gaps = gaps:gsub('^%S+ ', '') end
  end
  heard = at
end
heard = heard and string.format('%.0f', heard) or ''
-- Reading must work with a full memory or disk. A heartbeat that cannot be stored does not count.
local written = redis.pcall('HSET', KEYS[1], 'last', now, 'ahead', at - now, 'heard', heard, 'gaps', gaps)
if type(written) == 'table' and written.err then return {at, stored[3] or '', stored[4] or '', now, written.err} end
return {at, heard, gaps, now, ''}
