--- @command stats
--- @summary Counters and sizes of a namespace.
--- @key base
--- @status ok
--- @reply stats map Name and number of each.
--- @returns The counters since the namespace began, and its sizes now.
--- @flags no-writes
--- @include stats
local function stats(keys)
  return { rp.S.ok, rp.stats(keys[1]) }
end
