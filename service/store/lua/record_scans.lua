-- Record that tables of one bucket have been scanned, and schedule the next scan.
--
-- KEYS  1 notify  zset   table -> when to scan (ms since the epoch)
--       2 ...     heads  of the tables: n = delay between an append and the scan (ms), k = "<version> <time>" of the
--                 last scan
-- ARGV  1 time of the scan (ms)
--       2 ... for each table: table, end of the lease (ms), version scanned, when to scan again (ms; '' = after the next
--       append), n ('' = no subscribers left)
-- A table whose lease has been lost is left alone, since the process that holds it scans it again.
local now = tonumber(ARGV[1])
for i = 2, #ARGV, 5 do
  local name, ends, scanned, again, n = unpack(ARGV, i, i + 4)
  local head, at = KEYS[(i - 2) / 5 + 2], redis.call('ZSCORE', KEYS[1], name)
  if at and tonumber(at) == tonumber(ends) then
    local version, next_at = redis.call('HGET', head, 'v'), tonumber(again)
    if is_asleep(version) then version = string.sub(version, 2) end
    if version then
      redis.call('HSET', head, 'k', scanned .. ' ' .. ARGV[1])
      -- An append in the meantime did not change the due time, since it found the end of the lease.
      if version ~= scanned then next_at = math.min(next_at or math.huge, now + (tonumber(n) or 0)) end
      if n ~= '' then redis.call('HSET', head, 'n', n) elseif version == scanned then redis.call('HDEL', head, 'n') end
    end
    if version and next_at then redis.call('ZADD', KEYS[1], next_at, name) else redis.call('ZREM', KEYS[1], name) end
  end
end
return 0
