-- Find a token and its player in one round trip. For a guest, record activity once a day.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of an unrestricted token -> player
--       3 grants   hash  SHA-256 of a token -> its grant
--       4 guests   zset  player without a finished game -> last activity (ms)
-- ARGV  1 hash of the token   2 now (ms; 0 = record nothing)   3 a day (ms)
-- Returns the record and the grant (false for a token of a release before grants), or nil.
local grant = redis.call('HGET', KEYS[3], ARGV[1])
local player = redis.call('HGET', KEYS[2], ARGV[1])
if not player then
  if not grant then return nil end
  local told = cjson.decode(string.sub(grant, 4))
  -- An unrestricted token that is missing in tokens was replaced by a release before grants.
  if told.scopes == cjson.null and told.expires_at == cjson.null then return nil end
  player = told.player
end
local seen = redis.call('ZSCORE', KEYS[4], player)
if seen and tonumber(ARGV[2]) - tonumber(seen) > tonumber(ARGV[3]) then
  -- Reading must work with a full memory.
  redis.pcall('ZADD', KEYS[4], ARGV[2], player)
end
local record = redis.call('HGET', KEYS[1], player)
return record and {record, grant} or nil
