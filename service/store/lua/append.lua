-- Append events to the log of a table and replace its snapshot, unless somebody else was faster; wake who watches.
--
-- KEYS  1 head   hash     v = version (seq of the last event), s = snapshot
--       2 log    stream   ids <seq>-0, one field an event
--       3 due    zset     table -> when to look at it (ms since the epoch)
--       4 lobby  zset     table -> since when it is listed (ms since the epoch)
-- ARGV  1 table   2 expected version   3 snapshot   4 due at (ms; '' = never)   5 listed at (ms; '' = not listed)
--       6 time to live (ms; '' = without end)   7 channel   8 field of an event   9 ... events
-- Returns the version that was found; the events are written if that is the expected one.
--
-- An error in the middle of a script leaves what was written before it, so errors must come first: a key of the wrong
-- type shows when it is read, and a full memory when the first event is added (it is not looked at again after that).
local table_id, expected = ARGV[1], tonumber(ARGV[2])
local found = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if found ~= expected then
  return found
end
redis.call('ZSCORE', KEYS[3], table_id)
redis.call('ZSCORE', KEYS[4], table_id)
local version = expected
for i = 9, #ARGV do
  version = version + 1
  redis.call('XADD', KEYS[2], version .. '-0', ARGV[8], ARGV[i])
end
redis.call('HSET', KEYS[1], 'v', version, 's', ARGV[3])
if ARGV[4] == '' then
  redis.call('ZREM', KEYS[3], table_id)
else
  redis.call('ZADD', KEYS[3], ARGV[4], table_id)
end
if ARGV[5] == '' then
  redis.call('ZREM', KEYS[4], table_id)
else
  redis.call('ZADD', KEYS[4], 'NX', ARGV[5], table_id)
end
for i = 1, 2 do
  if ARGV[6] == '' then
    redis.call('PERSIST', KEYS[i])
  else
    redis.call('PEXPIRE', KEYS[i], ARGV[6])
  end
end
redis.call('PUBLISH', ARGV[7], table_id .. ' ' .. version)
return found
