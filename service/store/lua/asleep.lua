-- Define a function that tells whether a table sleeps (see sleep.lua).
--
-- KEYS and ARGV  see the scripts that use it
-- version  v of the head of a table, or false: there is none
-- Returns whether it is below zero.
local function is_asleep(version)
  return version and string.sub(version, 1, 1) == '-'
end
