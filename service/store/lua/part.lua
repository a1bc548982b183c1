-- End a friendship, or what one of two players has asked the other.
--
-- KEYS  1 mine, 2 theirs  hash  other -> friend | asked | asks, and since when (ms)
-- ARGV  1 player   2 other
redis.call('HDEL', KEYS[2], ARGV[1])
return redis.call('HDEL', KEYS[1], ARGV[2])
