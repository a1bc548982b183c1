-- Replace the progress of a team event if it has not changed since it was read; store and delete entries.
--
-- KEYS  1 head     string  the event
--       2 progress string  how far it is
--       3 entries  hash    player -> entry
-- ARGV  1 progress that was read ('' = none)   2 new progress   3 number of entries to store
--       4 ... for each: player, entry; then players whose entries are deleted
-- Returns 1; 0 if it has changed; -1 if there is no such event. All keys get the expiry of the event.
local left = redis.call('PTTL', KEYS[1])
if left <= 0 then return -1 end
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2], 'PX', left)
local gone = 4 + 2 * tonumber(ARGV[3])
for i = 4, gone - 1, 2 do redis.call('HSET', KEYS[3], ARGV[i], ARGV[i + 1]) end
for i = gone, #ARGV do redis.call('HDEL', KEYS[3], ARGV[i]) end
redis.call('PEXPIRE', KEYS[3], left)
return 1
