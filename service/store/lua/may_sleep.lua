-- Return those of the given tables of one bucket that may be put to sleep.
--
-- KEYS  1 due    zset  table -> when it is due (ms since the epoch)
--       2 lobby  zset  table -> since when it is listed (ms since the epoch)
--       3 ...    logs  of the tables, in the same order
-- ARGV  1 how long nobody has acted or looked (s)   2 until when it is not due (ms since the epoch)   3 ... tables
--
-- An append writes the log, and whoever follows a table reads it; lists of tables, jobs and notices read only the head.
local those = {}
for i = 3, #ARGV do
  local idle = redis.call('OBJECT', 'IDLETIME', KEYS[i])
  local at = redis.call('ZSCORE', KEYS[1], ARGV[i])
  local is_busy = not idle or idle < tonumber(ARGV[1]) or (at and tonumber(at) < tonumber(ARGV[2]))
  if not is_busy and not redis.call('ZSCORE', KEYS[2], ARGV[i]) then those[#those + 1] = ARGV[i] end
end
return those
