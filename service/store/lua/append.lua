-- If a table is at the expected version, append events to its log, replace its snapshot and wake its streams.
--
-- KEYS  1 head     hash     v = version (seq of the last event), s = snapshot, o = its rarely changing part,
--                           c = checksum of both, q = queue, n = see schedule_scan.lua, r = see leave.lua
--       2 log      stream   ids <seq>-0, one field per event   3 old  stream  events before those (see compact.lua)
--       4 due      zset     table -> when it is due (ms since the epoch)   7 owed  zset  the same, unchanged by leases
--       5 lobby    zset     table -> when it was listed (ms since the epoch)
--       6 long     set      tables whose logs need compaction
--       8 watch    zset     table -> when it became watchable (ms since the epoch)
--       9 notify   zset     table -> when to scan it for notices (ms since the epoch)   10 channel  see tell.lua
-- ARGV  1 index, see index.py   2 snapshot   3 its rarely changing part ('' = unchanged)   4 ... events
-- Returns the version found, or -1 if the checksum differs. The events were written if it is the expected version.
--
-- Redis does not roll back writes after an error, so errors must come first: reading reveals a key of the wrong type,
-- and adding the first event a full memory (Redis does not check again after that).
local head, log, old, due, lobby, long, owed, watch, notify, channel = unpack(KEYS)
local index = cjson.decode(string.match(ARGV[1], '^k1:(.*)'))
local table_id, ttl = index.table, index.ttl
local stored = redis.call('HMGET', head, 'v', 'c', 'n')
local current, delay = tonumber(stored[1] or 0), stored[3]
if current ~= index.expected then return current end
if index.replaces ~= '' and index.replaces ~= stored[2] then return -1 end
local listed, watchable = redis.call('ZSCORE', lobby, table_id), redis.call('ZSCORE', watch, table_id)
redis.call('ZSCORE', due, table_id)
local noted = delay and redis.call('ZSCORE', notify, table_id)
local is_long = redis.call('SISMEMBER', long, table_id) == 1
for i = 4, #ARGV do redis.call('XADD', log, (current + i - 3) .. '-0', index.field, ARGV[i]) end
local version = current + #ARGV - 3
redis.call('HSET', head, 'v', version, 's', ARGV[2], 'c', index.checksum, 'q', index.queue)
if ARGV[3] ~= '' then redis.call('HSET', head, 'o', ARGV[3]) end
if index.needs ~= '' then redis.call('HSET', head, 'r', index.needs) end
local function put(key, at)
  if at == '' then redis.call('ZREM', key, table_id) else redis.call('ZADD', key, at, table_id) end
end
put(due, index.due) put(owed, index.due)
-- A table that stays on a list keeps its place.
if (index.listed ~= '') ~= (listed ~= false) then put(lobby, index.listed) end
if (index.watchable ~= '') ~= (watchable ~= false) then put(watch, index.watchable) end
-- A scan may be noted for much later, such as for a reminder of a decision that is over. Within five seconds, it may be
-- the end of a lease, which stays.
if delay and (not noted or tonumber(noted) > index.at + delay + 5000) then
  redis.call('ZADD', notify, index.at + delay, table_id)
end
if not is_long and redis.call('XLEN', log) >= index.long then redis.call('SADD', long, table_id) end
for i = 1, 3 do
  if ttl == '' then redis.call('PERSIST', KEYS[i]) else redis.call('PEXPIRE', KEYS[i], ttl) end
end
tell(index.publish, channel, table_id, version)
return current
