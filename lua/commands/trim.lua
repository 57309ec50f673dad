--- @command trim
--- @summary Removes entries above the capacity and demotes those above the protected share, a bounded number a call.
--- @key base
--- @arg most int 1..16 How many at most.
--- @arg seed int 0..2147483647 Seed of the eviction draw.
--- @status ok more
--- @reply evicted list Ids that left.
--- @returns `more` while entries are above a bound.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include install
local function trim(keys, args)
  local a = rp.read(ARGS, args)
  local x = rp.session(keys[1], rp.head(keys[1]))
  local evicted = rp.trim(x, a.most, a.seed)
  rp.session_end(x)
  return { rp.excess(x) > 0 and rp.S.more or rp.S.ok, evicted }
end
