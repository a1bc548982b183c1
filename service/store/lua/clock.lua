-- Read the clock of the service, which goes on when the clock of the server is set back.
--
-- KEYS  1 clock  hash  last = time of the server when it was last read (ms), ahead = by how much the clock of the
--                      service was ahead of it (ms)
-- ARGV  1 what the caller's own clock says (ms; '' = it has none yet)
--       2 longest ordinary pause between two readings (ms)
--       3 while it is ahead, the clock of the service leaves out one of so many ms
-- Returns the time of the service (ms since the epoch).
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'last', 'ahead')
local last, ahead = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
local passed = now - last
local at
if passed < 0 or passed > tonumber(ARGV[2]) then
  -- The clock of the server was set, or nobody has read it for long. A caller who was there knows what has passed.
  at = math.max(now, last + ahead, tonumber(ARGV[1]) or 0)
else
  at = math.max(now, now + ahead - passed / ARGV[3])
end
-- A full memory or disk must not keep anybody from reading.
redis.pcall('HSET', KEYS[1], 'last', now, 'ahead', at - now)
return at
