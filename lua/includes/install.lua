--- @fragment install
--- @summary Replaces the planned tier and changes the capacity, in bounded steps; the twin of libs/policy `PolicyStore.install`.
--- @include engine

-- Makes these live ids, in this order, the planned tier, and cuts the protected one to its slots. What leaves becomes
-- the most recent, in its old order, or protected if its importance qualifies.
function rp.replace_planned(x, ids)
  local moves, chosen, leaving = rp.no_moves(), {}, {}
  for _, id in ipairs(ids) do chosen[id] = true end
  for _, id in ipairs(redis.call('ZRANGE', x.base .. ':t:m', 0, -1)) do
    if not chosen[id] then leaving[#leaving + 1] = id end
  end
  for _, id in ipairs(leaving) do
    rp.move_to_recency(x, rp.live(x, id))
    moves.demoted[#moves.demoted + 1] = id
  end
  for rank, id in ipairs(ids) do
    local entry = rp.live(x, id)
    if entry then rp.move(x, entry, 'm', rank - 1) end
  end
  rp.shrink_protected(x, moves.demoted)
  for _, id in ipairs(leaving) do rp.promote(x, rp.live(x, id), moves) end
  return moves
end

-- Takes a new capacity; the bound in force follows the size down.
function rp.resize(x, old, target)
  if target ~= old then redis.call('DEL', x.base .. ':door') end
  x.head.capacity = target
  x.bound = math.max(target, rp.session_size(x))
end

-- Evicts at most `most` entries above the capacity; the bound in force follows.
function rp.trim(x, most, seed)
  local evicted, uniform, draw_beta = {}, rp.generator(seed)
  rp.bound(x)
  while #evicted < most and rp.session_size(x) > x.head.capacity do
    evicted[#evicted + 1] = rp.evict_one(x, uniform, draw_beta)
  end
  x.bound = math.max(x.head.capacity, rp.session_size(x))
  return evicted
end

-- What an install must say of itself.
function rp.check_planned(config, capacity, a)
  local slots, seen = rp.slots(config, capacity), {}
  if #a.planned > slots then rp.fail('RP_ERR_ARGUMENT', 'planned has more than its ' .. slots .. ' slots') end
  if a.version <= a.expectedVersion then rp.fail('RP_ERR_ARGUMENT', 'version must be above expectedVersion') end
  for _, id in ipairs(a.planned) do
    if seen[id] then rp.fail('RP_ERR_ARGUMENT', 'planned has ' .. id .. ' twice') end
    seen[id] = true
  end
end
