-- Store a registration code, unless its giver has made too many.
--
-- KEYS  1 codes  zset  SHA-256 of a code of this giver -> until when it counts (ms)
--       2 code   hash  d = details, left = how many players may still register with it
-- ARGV  1 SHA-256 of the code   2 details   3 uses   4 now (ms)   5 until (ms)   6 most codes of the giver
-- Returns 1, or 0 if the giver has too many. A used code counts until its time is over.
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', ARGV[4])
if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[6]) then return 0 end
local ttl = tonumber(ARGV[5]) - tonumber(ARGV[4])
redis.call('ZADD', KEYS[1], ARGV[5], ARGV[1])
if redis.call('PTTL', KEYS[1]) < ttl then redis.call('PEXPIRE', KEYS[1], ttl) end
redis.call('HSET', KEYS[2], 'd', ARGV[2])
redis.call('HSET', KEYS[2], 'left', ARGV[3])
redis.call('PEXPIRE', KEYS[2], ttl)
return 1
