-- End a friendship, or withdraw or decline a friend request between two players.
--
-- KEYS  1 mine    hash  other player -> friend | asked | asks, and time (ms)
--       2 theirs  hash  the same of the other
-- ARGV  1 player   2 other
-- Returns 1, or 0 if there was nothing to end.
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[2])
