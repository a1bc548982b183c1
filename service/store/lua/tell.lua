-- Defines what wakes the streams of a table.
--
-- KEYS and ARGV  those of the scripts that use it
-- command  SPUBLISH on a cluster, which keeps it on the node; servers before 7 do not know it. Else PUBLISH
-- channel  of the table   earlier  of earlier releases, whose processes hear no other
local function tell(command, channel, earlier, table_id, version)
  local told = redis.pcall(command, channel, table_id .. ' ' .. version)
  if type(told) == 'table' and told.err then redis.call('PUBLISH', channel, table_id .. ' ' .. version) end
  redis.call('PUBLISH', earlier, table_id .. ' +' .. version)
end
