-- Put a table to sleep, unless it or its standing orders have changed since they were read.
--
-- KEYS  1 head   hash    v = version, c = checksum of the snapshot, s = snapshot, o = its rarely changing part
--       2 log    stream  3 old  stream  4 orders  hash  what is to lie in the head
--       5 long   set     tables whose logs need compaction   6 owed  zset  table -> when it is due (see wake.lua)
-- ARGV  1 table   2 version   3 checksum ('' = none)   4 release that it needs   5 number of fields of orders
--       6 ... fields and values of orders, as read; then those that the head gets, see sleep/asleep.py
-- Returns 1, or 0 if something has changed.
--
-- With the version below zero no release takes the head for that of a table at this version: an append finds another
-- one. The table stays in `due`; what reads head.v knows the sign.
local stored = redis.call('HMGET', KEYS[1], 'v', 'c')
if stored[1] ~= ARGV[2] or (stored[2] or '') ~= ARGV[3] then return 0 end
if redis.call('HLEN', KEYS[4]) ~= tonumber(ARGV[5]) then return 0 end
for i = 6, 5 + 2 * ARGV[5], 2 do
  if redis.call('HGET', KEYS[4], ARGV[i]) ~= ARGV[i + 1] then return 0 end
end
-- Keys of the wrong type are found before anything is written.
redis.call('SISMEMBER', KEYS[5], ARGV[1])
redis.call('ZSCORE', KEYS[6], ARGV[1])
redis.call('HSET', KEYS[1], 'v', '-' .. ARGV[2], 'r', ARGV[4])
for i = 6 + 2 * ARGV[5], #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
redis.call('HDEL', KEYS[1], 'o')
redis.call('DEL', KEYS[2], KEYS[3], KEYS[4])
redis.call('SREM', KEYS[5], ARGV[1])
redis.call('ZREM', KEYS[6], ARGV[1])
return 1
