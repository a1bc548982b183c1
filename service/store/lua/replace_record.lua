-- Replace the record of a player unless it has changed since it was read, and make the player's streams reload it.
--
-- KEYS  1 records  hash  player -> record
-- ARGV  1 player   2 record that was read   3 new record   4 channel
-- Returns 1, or 0 if the record has changed or does not exist.
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then
  return 0
end
redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
redis.call('PUBLISH', ARGV[4], ARGV[1])
return 1
