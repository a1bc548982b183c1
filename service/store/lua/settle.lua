-- Record the answer of a request, or that it failed, if the request is still the caller's to do.
--
-- KEYS  1 answer  string  who does the request, or its answer
-- ARGV  1 what the caller wrote when it took the request   2 answer ('' = failed: another may try)   3 kept for (ms)
-- Returns 1, or 0 if the caller took so long that another has taken the request.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
