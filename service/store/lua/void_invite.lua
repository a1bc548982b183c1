-- Delete a registration code. If nobody has used it, its giver may make another one.
--
-- KEYS  1 codes  zset  SHA-256 of a code of this giver -> until when it counts (ms)
--       2 code   hash  see make_invite.lua
-- ARGV  1 SHA-256 of the code   2 uses that it had when it was made
-- Returns 1, or 0 if there is no such code.
if redis.call('HGET', KEYS[2], 'left') == ARGV[2] then redis.call('ZREM', KEYS[1], ARGV[1]) end
return redis.call('DEL', KEYS[2])
