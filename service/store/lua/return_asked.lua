-- Charge a step to the client and the player whose question a searcher took, and put the question back if it needs more.
--
-- KEYS  1 clients   2 players   3 questions: see ask.lua
-- ARGV  1 client   2 player   3 question ('' = answered)   4 seconds of the step, beyond those charged in advance
--       5 seconds used by the client   6 by the player, as told by take_asked.lua   7 expiry (ms)
-- Returns the number of clients of which something waits.
if ARGV[3] ~= '' then
  redis.call('LPUSH', KEYS[3], ARGV[3])
  redis.call('PEXPIRE', KEYS[3], ARGV[7])
end
-- Neither is listed any more if nothing else of them waited.
local function charge(key, member, used, below)
  if redis.call('EXISTS', below) == 1 then
    redis.call('ZADD', key, 'NX', used, member)
    redis.call('ZINCRBY', key, ARGV[4], member)
  end
end
charge(KEYS[2], ARGV[2], ARGV[6], KEYS[3])
redis.call('PEXPIRE', KEYS[2], ARGV[7])
charge(KEYS[1], ARGV[1], ARGV[5], KEYS[2])
return redis.call('ZCARD', KEYS[1])
