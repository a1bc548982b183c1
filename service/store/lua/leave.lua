-- Define a function that leaves a due table to processes of later releases, if it needs one.
--
-- KEYS and ARGV  see the scripts that use it
-- due         zset  table -> when it is due (ms since the epoch); at, the time of this table, has come
-- needs       the release that the table needs (r of its head), or nil: 0.3
-- understood  the release that the calling process understands ('' = 0.3)
-- now         ms since the epoch   left_until  when the table is due again (ms)
-- Returns whether the table is left. Processes of that release lease it at once. If nobody has done so for half a
-- second, there are none, and it is put back, so that it is not in the way.
local WAIT_MS = 500
local function leave(due, table_id, at, needs, understood, now, left_until)
  if not needs then return false end
  local ours, is_later = string.gmatch(understood, '%d+'), false
  for number in string.gmatch(needs, '%d+') do
    local own = tonumber(ours() or -1)
    if tonumber(number) ~= own then
      is_later = tonumber(number) > own
      break
    end
  end
  if is_later and tonumber(now) - tonumber(at) > WAIT_MS then redis.call('ZADD', due, left_until, table_id) end
  return is_later
end
