-- Replace the lock of an idempotent request by its answer, or remove it if the request failed.
--
-- KEYS  1 answer  string  lock or answer
-- ARGV  1 lock   2 answer ('' = failed, others may try)   3 time to live (ms)
-- Returns 1, or 0 if the lock has expired and another caller has locked the request.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then
  return 0
end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
end
return 1
