-- If a table is at the expected version, append events to its log, replace its snapshot and wake its streams.
--
-- KEYS  1 head   hash     v = version (seq of the last event), s = snapshot, o = its rarely changing part,
--                         c = checksum of both, q = queue, n = see schedule_scan.lua, r = see leave.lua
--       2 log    stream   ids <seq>-0, one field per event   3 old  stream  events before those (see compact.lua)
--       4 due    zset     table -> when it is due (ms since the epoch)
--       5 lobby  zset     table -> when it was listed (ms since the epoch)
--       6 long   set      tables whose logs need compaction
--       7 owed   zset     like due, but not changed by claims
--       8 watch  zset     table -> when it became watchable (ms since the epoch)
--       9 notify zset     table -> when to scan it for notices to send (ms since the epoch)
--       10 live  channel  see tell.lua
-- ARGV  1 table   2 expected version   3 snapshot   4 due at (ms; '' = never)   5 listed at (ms; '' = not listed)
--       6 time to live (ms; '' = no expiry)   7 command of tell.lua   8 length at which a log needs compaction
--       9 expected checksum ('' = any)   10 checksum   11 queue   12 rarely changing part ('' = unchanged)   13 watchable
--       at (ms; '' = not)   14 time of last event (ms)   15 their field   16 see tell.lua   17 r ('' = none)   18 ... events
-- Returns the version found, or -1 if the checksum differs. The events were written if it is the expected version.
--
-- Redis does not roll back writes after an error, so errors must come first: reading reveals a key of the wrong type,
-- and adding the first event a full memory (Redis does not check again after that).
local table_id, expected = ARGV[1], tonumber(ARGV[2])
local head = redis.call('HMGET', KEYS[1], 'v', 'c', 'n')
local found = tonumber(head[1] or 0)
if found ~= expected then return found end
if ARGV[9] ~= '' and ARGV[9] ~= head[2] then return -1 end
for _, index in ipairs(head[3] and {4, 5, 8, 9} or {4, 5, 8}) do redis.call('ZSCORE', KEYS[index], table_id) end
local long = redis.call('SISMEMBER', KEYS[6], table_id)
local version = expected + #ARGV - 17
for i = 18, #ARGV do
  redis.call('XADD', KEYS[2], (expected + i - 17) .. '-0', ARGV[15], ARGV[i])
end
redis.call('HSET', KEYS[1], 'v', version, 's', ARGV[3], 'c', ARGV[10], 'q', ARGV[11])
if ARGV[12] ~= '' then redis.call('HSET', KEYS[1], 'o', ARGV[12]) end
if ARGV[17] ~= '' then redis.call('HSET', KEYS[1], 'r', ARGV[17]) end
for _, index in ipairs({{4, 4, 'CH'}, {7, 4, 'CH'}, {5, 5, 'NX'}, {8, 13, 'NX'}}) do
  local key, at = KEYS[index[1]], ARGV[index[2]]
  if at == '' then redis.call('ZREM', key, table_id) else redis.call('ZADD', key, index[3], at, table_id) end
end
if head[3] then redis.call('ZADD', KEYS[9], 'NX', tonumber(ARGV[14]) + tonumber(head[3]), table_id) end
if long == 0 and redis.call('XLEN', KEYS[2]) >= tonumber(ARGV[8]) then redis.call('SADD', KEYS[6], table_id) end
for i = 1, 3 do
  if ARGV[6] == '' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], ARGV[6]) end
end
tell(ARGV[7], KEYS[10], ARGV[16], table_id, version)
return found
