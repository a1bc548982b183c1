-- Return all that lies of a table, at one moment.
--
-- KEYS  1 head  hash   2 log  stream   3 old  stream   4 orders  hash
-- ARGV  none
-- Returns {{v, c, s, o, r} of the head, entries of log, entries of old, fields and values of orders}.
return {
  redis.call('HMGET', KEYS[1], 'v', 'c', 's', 'o', 'r'),
  redis.call('XRANGE', KEYS[2], '-', '+'),
  redis.call('XRANGE', KEYS[3], '-', '+'),
  redis.call('HGETALL', KEYS[4]),
}
