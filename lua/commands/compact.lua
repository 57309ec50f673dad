--- @command compact
--- @summary One step of clearing dead vectors out of the strata that a purge or the sweep has marked.
--- @key base
--- @arg looks int 1..1000 How many entries to look at.
--- @arg copies int 1..64 How many vectors to copy at most.
--- @status ok more
--- @returns `more` until nothing is marked any more.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include args
--- @include compact
local function compact(keys, args)
  rp.head(keys[1])
  local a = rp.read(ARGS, args)
  return { rp.compact_step(keys[1], a.looks, a.copies) and rp.S.more or rp.S.ok }
end
