-- Store a new player, as a guest.
--
-- KEYS  1 records  hash  player -> record
--       2 tokens   hash  SHA-256 of a token -> player
--       3 held     hash  player -> SHA-256 of the token
--       4 guests   zset  player without a finished game -> last activity (ms)
--       5 code     hash  registration code with which the player comes, if any (make_invite.lua)
-- ARGV  1 player   2 hash of the token   3 record   4 now (ms)
-- Returns 1, or 0 if the player or the token exists. If the same is sent again, since its answer was lost, that is 1 too.
--         -1 if the code is void or used up; then nothing is stored.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 1 or redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1 then
  local is_same = redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[3] and redis.call('HGET', KEYS[2], ARGV[2]) == ARGV[1]
  return is_same and 1 or 0
end
if KEYS[5] then
  if tonumber(redis.call('HGET', KEYS[5], 'left') or 0) < 1 then return -1 end
  redis.call('HINCRBY', KEYS[5], 'left', -1)
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
redis.call('HSET', KEYS[3], ARGV[1], ARGV[2])
redis.call('ZADD', KEYS[4], ARGV[4], ARGV[1])
return 1
