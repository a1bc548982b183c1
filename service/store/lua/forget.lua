-- Delete a table, now or later; it is no longer due or listed.
--
-- KEYS  1 head   2 log   3 old   4 due   5 lobby   6 long   7 owed   8 watch   9 notify   10 live   (as in append.lua)
-- ARGV  1 table   2 time to live (ms; 0 = delete now and wake its streams)   3 command that publishes
redis.call('ZREM', KEYS[4], ARGV[1])
redis.call('ZREM', KEYS[5], ARGV[1])
redis.call('SREM', KEYS[6], ARGV[1])
redis.call('ZREM', KEYS[7], ARGV[1])
redis.call('ZREM', KEYS[8], ARGV[1])
redis.call('ZREM', KEYS[9], ARGV[1])
for i = 1, 3 do
  redis.call('PEXPIRE', KEYS[i], ARGV[2])
end
if ARGV[2] == '0' then
  tell(ARGV[3], KEYS[10], ARGV[1], 0)
end
