--- @fragment value_tier
--- @summary The protected tier: bounded, by corroborated importance; the twin of libs/policy `tiers/value-tier.ts`.
--- @include tiers

-- Importance is the running maximum of what is claimed from the `corroboration`-th independent use on.
function rp.observe_claim(r, importance, source, corroboration)
  if source == 0 or source ~= r.source then
    r.sightings = r.sightings + 1
    r.source = source
  end
  if r.sightings >= corroboration then r.importance = math.max(r.importance, importance) end
end

local function protected_slots(x)
  local _, kept = rp.slots(x.config, x.head.capacity)
  return kept
end

-- The smallest entry of the tier, which has one, becomes the most recent.
function rp.demote_smallest(x)
  local entry = rp.live(x, rp.id_at(x, 'p', 0))
  entry.tier = 'p'
  rp.move_to_recency(x, entry)
  rp.session_count(x, 'demoted')
  return entry.id
end

-- Whether an importance is worth a slot: one is free, or the smallest importance in the tier is strictly smaller.
function rp.qualifies(x, importance)
  local kept = protected_slots(x)
  if importance <= 0 or kept == 0 then return false end
  if x.sizes.p < kept then return true end
  local smallest = redis.call('ZRANGE', x.base .. ':t:p', 0, 0, 'WITHSCORES')[2]
  return importance > tonumber(smallest)
end

-- Demotes the smallest entry if the tier is full.
function rp.free_slot(x, demoted)
  if x.sizes.p >= protected_slots(x) then demoted[#demoted + 1] = rp.demote_smallest(x) end
end

-- Most demotions of one call; a trim or the sweep does the rest. More than a trim evicts, so that recency does not run out.
local MOST_DEMOTIONS = 32

-- Entries of the tier above its slots.
function rp.protected_excess(x)
  return math.max(0, x.sizes.p - protected_slots(x))
end

-- Demotes the smallest entries until the tier fits its slots, a bounded number.
function rp.shrink_protected(x, demoted)
  for _ = 1, math.min(MOST_DEMOTIONS, rp.protected_excess(x)) do demoted[#demoted + 1] = rp.demote_smallest(x) end
end

-- Moves an entry of the recency tier up if its importance qualifies.
function rp.promote(x, entry, moves)
  if entry.r.importance <= 0 or rp.locate(x, entry).tier ~= 'r' or not rp.qualifies(x, entry.r.importance) then return end
  rp.free_slot(x, moves.demoted)
  rp.move(x, entry, 'p', entry.r.importance)
  rp.session_count(x, 'promoted')
  moves.promoted[#moves.promoted + 1] = entry.id
end
