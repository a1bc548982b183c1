-- Find an event, and write without any change, so that a following WAIT covers all earlier writes.
--
-- KEYS  1 head   2 log
-- ARGV  1 seq of the event
-- Returns its entry as XRANGE does; an empty list if it was moved out of the log; -1 if the table has no such event,
-- -2 if it sleeps.
local version = tonumber(redis.call('HGET', KEYS[1], 'v') or 0)
if version < 0 then return -2 end
if version < tonumber(ARGV[1]) then return -1 end
redis.call('HSET', KEYS[1], 'v', version)
return redis.call('XRANGE', KEYS[2], ARGV[1] .. '-0', ARGV[1] .. '-0')
