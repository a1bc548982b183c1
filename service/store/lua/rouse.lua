-- Wake a sleeping table, unless another process has done so: the reverse of sleep.lua.
--
-- KEYS  1 head  hash    2 log  stream   3 old  stream   4 orders  hash   (see sleep.lua)
--       5 due   zset    table -> when it is due (ms since the epoch)   6 owed  zset  the same, unchanged by leases
-- ARGV  1 table   2 SHA-1 of head.s, as read   3 version   4 snapshot   5 its rarely changing part ('' = none)
--       6 release that the events need ('' = 0.3)   7 time to live of orders (ms)   8 number of entries of old
--       9 id, 10 field and 11 value of the entry of log   12 ... those of each of old; then fields and values of orders
-- Returns 1, or 0 if the value is another one.
local head, log, old, orders, due, owed = unpack(KEYS)
local table_id, first_of_orders = ARGV[1], 12 + 3 * ARGV[8]
local value = redis.call('HGET', head, 's')
if not value or redis.sha1hex(value) ~= ARGV[2] then return 0 end
local at = redis.call('ZSCORE', due, table_id)
redis.call('ZSCORE', owed, table_id)
redis.call('HLEN', orders)
-- First, since a full memory refuses only the first command that writes.
redis.call('XADD', log, ARGV[9], ARGV[10], ARGV[11])
for i = 12, first_of_orders - 1, 3 do redis.call('XADD', old, ARGV[i], ARGV[i + 1], ARGV[i + 2]) end
for _, field in ipairs(redis.call('HKEYS', head)) do
  if string.match(field, '^b%d') then redis.call('HDEL', head, field) end
end
redis.call('HSET', head, 'v', ARGV[3], 's', ARGV[4])
if ARGV[5] ~= '' then redis.call('HSET', head, 'o', ARGV[5]) end
if ARGV[6] ~= '' then redis.call('HSET', head, 'r', ARGV[6]) else redis.call('HDEL', head, 'r') end
for i = first_of_orders, #ARGV, 2 do redis.call('HSET', orders, ARGV[i], ARGV[i + 1]) end
redis.call('PEXPIRE', orders, ARGV[7])
local left = redis.call('PTTL', head)
for i = 2, 3 do
  if left > 0 then redis.call('PEXPIRE', KEYS[i], left) end
end
if at then redis.call('ZADD', owed, 'NX', at, table_id) end
return 1
