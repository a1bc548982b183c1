-- Set when a table is due, if it is still at this version: what it was due for needs no event.
--
-- KEYS  1 head  hash   v = version, below zero if the table sleeps
--       2 due   zset   table -> when it is due (ms since the epoch)   3 owed  zset  the same, unchanged by claims
-- ARGV  1 table   2 version   3 when it is due ('' = not before another append)
-- Returns 1, or 0 if there has been an append.
local version = redis.call('HGET', KEYS[1], 'v')
if version ~= ARGV[2] and version ~= '-' .. ARGV[2] then return 0 end
for i = 2, 3 do
  if ARGV[3] == '' then
    redis.call('ZREM', KEYS[i], ARGV[1])
  else
    redis.call('ZADD', KEYS[i], ARGV[3], ARGV[1])
  end
end
return 1
