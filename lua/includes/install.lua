--- @fragment install
--- @summary Replaces the planned tier and changes the capacity, in bounded steps; the twin of libs/policy `PolicyStore.install`.
--- @include engine

-- Most ids of a planned tier: one call moves all of them.
local MOST_PLANNED = 250

-- These ids of the planned tier leave it, and the protected one is cut to its slots. What leaves becomes the most recent,
-- in its old order, or protected if its importance qualifies; `between` puts others in its place.
local function leave_planned(x, leaving, between)
  local moves = rp.no_moves()
  for _, id in ipairs(leaving) do
    local entry = rp.live(x, id)
    entry.tier = 'm'
    rp.move_to_recency(x, entry)
    moves.demoted[#moves.demoted + 1] = id
  end
  if between then between() end
  rp.shrink_protected(x, moves.demoted)
  for _, id in ipairs(leaving) do rp.promote(x, rp.live(x, id), moves) end
  return moves
end

-- Makes these live ids, in this order, the planned tier.
function rp.replace_planned(x, ids)
  local chosen, leaving = {}, {}
  for _, id in ipairs(ids) do chosen[id] = true end
  for _, id in ipairs(redis.call('ZRANGE', x.base .. ':t:m', 0, -1)) do
    if not chosen[id] then leaving[#leaving + 1] = id end
  end
  return leave_planned(x, leaving, function()
    for rank, id in ipairs(ids) do
      local entry = rp.live(x, id)
      if entry then rp.move(x, entry, 'm', rank - 1) end
    end
  end)
end

-- Cuts the planned and the protected tier to their slots.
function rp.fit_tiers(x)
  return leave_planned(x, redis.call('ZRANGE', x.base .. ':t:m', (rp.slots(x.config, x.head.capacity)), -1))
end

-- Takes a new capacity; the bound in force follows the size down.
function rp.resize(x, old, target)
  if target ~= old then redis.call('UNLINK', x.base .. ':door') end
  x.head.capacity = target
  x.bound = math.max(target, rp.session_size(x))
end

-- What is still above its bounds: entries above the capacity, and of the protected tier above its slots.
function rp.excess(x)
  return math.max(0, rp.session_size(x) - x.head.capacity) + rp.protected_excess(x)
end

-- Demotes some entries of the protected tier above its slots, and evicts at most `most` above the capacity; the bound in
-- force follows. Evictions that score many candidates each are fewer.
function rp.trim(x, most, seed, demoted)
  local evicted, uniform, draw_beta = {}, rp.generator(seed)
  most = math.min(most, rp.most_evictions(x.config))
  rp.bound(x)
  rp.shrink_protected(x, demoted or {})
  while #evicted < most and rp.session_size(x) > x.head.capacity do
    evicted[#evicted + 1] = rp.evict_one(x, uniform, draw_beta)
  end
  x.bound = math.max(x.head.capacity, rp.session_size(x))
  return evicted
end

-- What an install must say of itself.
function rp.check_planned(config, capacity, a)
  local slots, seen = rp.slots(config, capacity), {}
  if #a.planned > MOST_PLANNED then rp.fail('RP_ERR_ARGUMENT', 'planned has more than ' .. MOST_PLANNED .. ' ids') end
  if #a.planned > slots then rp.fail('RP_ERR_ARGUMENT', 'planned has more than its ' .. slots .. ' slots') end
  if a.version <= a.expectedVersion then rp.fail('RP_ERR_ARGUMENT', 'version must be above expectedVersion') end
  for _, id in ipairs(a.planned) do
    if seen[id] then rp.fail('RP_ERR_ARGUMENT', 'planned has ' .. id .. ' twice') end
    seen[id] = true
  end
end
