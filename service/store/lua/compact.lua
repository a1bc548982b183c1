-- Move the first events of a log into a chunk, unless another process has done so.
--
-- KEYS  1 log   stream   ids <seq>-0
--       2 old   stream   ids <seq of the last event of a chunk>-0, one field per chunk
-- ARGV  1 seq of the first event of the log   2 seq of the last event to move   3 field of a chunk   4 chunk
--       5 ... ids of chunks in old that this chunk replaces
-- Returns 1, or 0 if the log no longer begins there.
--
-- The chunk is added first: with a full memory this fails before anything is removed.
local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)
if not first[1] or first[1][1] ~= ARGV[1] .. '-0' then
  return 0
end
redis.call('XADD', KEYS[2], ARGV[2] .. '-0', ARGV[3], ARGV[4])
if #ARGV > 4 then
  redis.call('XDEL', KEYS[2], unpack(ARGV, 5))
end
redis.call('XTRIM', KEYS[1], 'MAXLEN', redis.call('XLEN', KEYS[1]) - (ARGV[2] - ARGV[1] + 1))
local left = redis.call('PTTL', KEYS[1])
if left > 0 then
  redis.call('PEXPIRE', KEYS[2], left)
end
return 1
