-- Add a token to a player, and consume a code: a link code, or the code of an app or a sign-in.
--
-- KEYS  1 records  hash    player -> record
--       2 tokens   hash    SHA-256 of an unrestricted token -> player
--       3 grants   hash    SHA-256 of a token -> its grant
--       4 owned    hash    id of a token of the player -> its SHA-256; recovery -> SHA-256 of the recovery code
--       5 code     string  the code
--       6 inbox    stream  see inbox.lua
--       7 spent    string  player and id of the token for which the code was used
--       8 givers   hash    has a field for the giver
--       9 notices  hash    subscriptions of the player
--      10 notify   zset    player -> when to check for events to send (ms)
-- ARGV  1 player   2 hash of the token   3 its id   4 its grant   5 1 = unrestricted
--       6 maximum number of tokens   7 1 = consume the code   8 how long to remember what it was used for (ms; 0: not)
--       9 ... 15 arguments of put_event   16 the giver ('' = none)
-- Returns done; or, without any change, gone (no such player, code or giver), taken (the token exists) or full.
if redis.call('HEXISTS', KEYS[1], ARGV[1]) == 0 then return 'gone' end
if ARGV[7] == '1' and redis.call('EXISTS', KEYS[5]) == 0 then return 'gone' end
if ARGV[16] ~= '' and redis.call('HEXISTS', KEYS[8], ARGV[16]) == 0 then return 'gone' end
if redis.call('HEXISTS', KEYS[2], ARGV[2]) + redis.call('HEXISTS', KEYS[3], ARGV[2]) > 0 then return 'taken' end
local count = redis.call('HLEN', KEYS[4]) - redis.call('HEXISTS', KEYS[4], 'recovery')
if count >= tonumber(ARGV[6]) then return 'full' end
redis.call('HSET', KEYS[3], ARGV[2], ARGV[4])
redis.call('HSET', KEYS[4], ARGV[3], ARGV[2])
if ARGV[5] == '1' then redis.call('HSET', KEYS[2], ARGV[2], ARGV[1]) end
if ARGV[7] == '1' then redis.call('DEL', KEYS[5]) end
if ARGV[8] ~= '0' then redis.call('SET', KEYS[7], ARGV[1] .. ' ' .. ARGV[3], 'PX', ARGV[8]) end
put_event(KEYS[6], unpack(ARGV, 9, 15))
if redis.call('EXISTS', KEYS[9]) == 1 then redis.call('ZADD', KEYS[10], ARGV[9], ARGV[1]) end
return 'done'
