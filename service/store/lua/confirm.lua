-- Find an event, with a write that changes nothing, so that WAIT after it waits for all that was written before.
--
-- KEYS  1 head   2 log
-- ARGV  1 seq of the event
-- Returns its entry as XRANGE does; nothing if it has been moved from the log; -1 if the table has no such event.
local version = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if version < tonumber(ARGV[1]) then return -1 end
redis.call('HSET', KEYS[1], 'v', version)
return redis.call('XRANGE', KEYS[2], ARGV[1] .. '-0', ARGV[1] .. '-0')
