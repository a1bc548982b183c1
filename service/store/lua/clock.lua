-- Read the clock of the service, which goes on when the clock of the server is set back, and note signs of life.
--
-- KEYS  1 clock  hash  last = time of the server when it was last read (ms), ahead = by how much the clock of the
--                      service was ahead of it (ms), heard = when the API last gave a sign of life (ms, by the clock
--                      of the service), gaps = when it gave none, "since-until since-until ..." (ms)
-- ARGV  1 what the caller's own clock says (ms; '' = it has none yet)
--       2 longest ordinary pause between two readings (ms)
--       3 while it is ahead, the clock of the service leaves out one of so many ms
--       4 longest ordinary pause between two signs of life (ms); '' = this is none
--       5 how many gaps are remembered
--       6 longest pause between two readings by a version that gave no signs of life (ms)
-- Returns {time of the service (ms since the epoch), heard ('' = never), gaps}.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local stored = redis.call('HMGET', KEYS[1], 'last', 'ahead', 'heard', 'gaps')
local last, ahead = tonumber(stored[1] or 0), tonumber(stored[2] or 0)
local passed = now - last
local at
if passed < 0 or passed > tonumber(ARGV[2]) then
  -- The clock of the server was set, or nobody has read it for long. A caller who was there knows what has passed.
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
-- A full memory or disk must not keep anybody from reading. A sign of life that is not noted was none.
local written = redis.pcall('HSET', KEYS[1], 'last', now, 'ahead', at - now, 'heard', heard, 'gaps', gaps)
if type(written) == 'table' and written.err then return {at, stored[3] or '', stored[4] or ''} end
return {at, heard, gaps}
