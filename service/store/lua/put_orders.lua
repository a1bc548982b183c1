-- Set or withdraw the standing orders of a seat, unless they are acting at this moment.
--
-- KEYS  1 orders  hash  seat -> orders; <seat>:acting -> until when (ms) they may be about to act
--       2 head    hash  v = version of the table
-- ARGV  1 seat   2 now (ms)   3 orders ('' = none)   4 time to live (ms)
-- Returns 0, or until when another try is in vain (ms); -1 if the table sleeps.
if is_asleep(redis.call('HGET', KEYS[2], 'v')) then return -1 end
local acting = tonumber(redis.call('HGET', KEYS[1], ARGV[1] .. ':acting') or 0)
if acting > tonumber(ARGV[2]) then return acting end
if ARGV[3] == '' then
  redis.call('HDEL', KEYS[1], ARGV[1])
else
  redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
redis.call('PEXPIRE', KEYS[1], ARGV[4])
return 0
