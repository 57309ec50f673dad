--- @op rp_stats
--- @summary Counters and sizes of the namespace.
--- @returns One line a number.
--- @flags no-writes
--- @include words
--- @include stats
local function rp_stats(keys)
  local lines = rp.lines(rp.stats(rp.base_key(keys)))
  table.sort(lines)
  return lines
end
