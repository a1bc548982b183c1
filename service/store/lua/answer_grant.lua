-- Store the answer to the request of a device, unless it has one.
--
-- KEYS  1 grant  string  JSON
-- ARGV  1 the grant with the answer
-- Returns 1, or 0 if there is no such request or it has an answer.
local stored = redis.call('GET', KEYS[1])
local grant = stored and cjson.decode(stored)
if not grant or grant.by ~= cjson.null or grant.denied then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'KEEPTTL')
return 1
