-- Define a function that wakes the streams of a table.
--
-- KEYS and ARGV  see the scripts that use it
-- command  SPUBLISH on a cluster, where the message stays on its node (unknown to servers before 7); otherwise PUBLISH
-- channel  of the table
local function tell(command, channel, table_id, version)
  local told = redis.pcall(command, channel, table_id .. ' ' .. version)
  if type(told) == 'table' and told.err then redis.call('PUBLISH', channel, table_id .. ' ' .. version) end
end
