-- Find a player by token, in one round trip; of a guest, note once a day that there was a request.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of a token -> player
--       3 guests   zset  player without a finished game -> when last heard of (ms)
-- ARGV  1 hash of the token   2 now (ms; 0 = note nothing)   3 a day (ms)
-- Returns the record, or nil.
local player = redis.call('HGET', KEYS[2], ARGV[1])
if not player then return nil end
local seen = redis.call('ZSCORE', KEYS[3], player)
if seen and tonumber(ARGV[2]) - tonumber(seen) > tonumber(ARGV[3]) then
  -- A full memory must not keep anybody from reading.
  redis.pcall('ZADD', KEYS[3], ARGV[2], player)
end
return redis.call('HGET', KEYS[1], player)
