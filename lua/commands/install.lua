--- @command install
--- @summary Replaces the planned tier by compare-and-set on its version, and may change the capacity.
--- @key base
--- @arg expectedVersion int 0..9e15 Nothing happens unless this version is in force.
--- @arg version int 1..9e15 The new version, a larger one.
--- @arg capacity int 0..10000000 The new capacity; 0 = as it is.
--- @arg maxTrim int 0..16 Most evictions of this call.
--- @arg seed int 0..2147483647 Seed of the eviction draws.
--- @arg planned rest Ids of the planned tier, most valuable first; at most 250.
--- @status ok conflict
--- @reply version int The version in force.
--- @reply remaining int Entries above the new capacity or the protected share: call again while it is not 0.
--- @reply dropped list Chosen ids that are not live.
--- @reply promoted list Ids that moved into the protected tier.
--- @reply demoted list Ids that moved to the recency tier.
--- @reply evicted list Ids that left.
--- @returns `conflict` when another version is in force.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is out of range, an id is there twice, or there are more ids than slots.
--- @include install
local function install(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local x = rp.session(base, rp.head(base))
  local capacity = a.capacity > 0 and a.capacity or x.head.capacity
  rp.check_planned(x.config, capacity, a)
  if x.s.planned_version ~= a.expectedVersion then
    return { rp.S.conflict, x.s.planned_version, rp.excess(x), {}, {}, {}, {} }
  end
  x.s.planned_version = a.version
  if a.capacity > 0 then redis.call('HSET', base, 'capacity', a.capacity) end
  rp.resize(x, x.head.capacity, capacity)
  local moves, dropped = rp.replace_planned(x, a.planned), {}
  local evicted = rp.trim(x, a.maxTrim, a.seed, moves.demoted)
  rp.session_end(x)
  for _, id in ipairs(a.planned) do
    if not rp.live(x, id) then dropped[#dropped + 1] = id end
  end
  local remaining = rp.excess(x)
  return { rp.S.ok, a.version, remaining, dropped, moves.promoted, moves.demoted, evicted }
end
