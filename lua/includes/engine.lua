--- @fragment engine
--- @summary The store's decisions; the twin of libs/policy `PolicyStore` (docs/concepts/policies.md).
--- @include evict
--- @include value_tier
--- @include doorkeeper

function rp.no_moves()
  return { promoted = {}, demoted = {} }
end

-- A use: frequency, recency, clock and importance, then the place in the tier.
local function use(x, entry, claim, moves)
  local r = entry.r
  r.uses = r.uses + 1
  r.last_step = x.s.step
  r.clock = x.s.clock
  rp.observe_claim(r, claim.importance, claim.source, x.config.corroboration)
  entry.changed = true
  local seq = rp.next_seq(x)
  rp.reposition(x, entry, rp.fragments[x.config.eviction].moves and seq or nil)
  rp.promote(x, entry, moves)
end

-- One request's outcome: its loss and the entries that it used, best first.
function rp.feedback(x, used, delta, claim)
  local tick, moves, done = rp.next_step(x), rp.no_moves(), {}
  rp.add_loss(x.s, delta, x.config.gate)
  for _, id in ipairs(used) do
    local entry = not done[id] and rp.live(x, id)
    done[id] = true
    if entry then
      if tick then entry.r.tick = entry.r.tick + 1 end
      rp.add_evidence(x.config, entry.r, 1, 0, x.s.ticks)
      use(x, entry, claim, moves)
    end
  end
  return moves
end

local function new_record(x, offer)
  local config = x.config
  local known = config.corroboration > 1
    and rp.doorkeeper_sight(x.base, config, x.head.capacity, offer.representative, offer.source)
  local sightings = known and 2 or 1
  return {
    alpha = config.prior_alpha, beta = config.prior_beta, tick = x.s.ticks, inserted_seq = 0,
    inserted_step = x.s.step, last_step = x.s.step, uses = 0,
    importance = sightings >= config.corroboration and offer.importance or 0, sightings = sightings,
    source = offer.source, clock = x.s.clock, size = offer.size, novelty = offer.novelty,
    valid_until = offer.valid_until, representative = offer.representative, stratum = offer.stratum,
    exact_keys = offer.exact_keys,
  }
end

local function insert(x, offer, r, tier)
  r.inserted_seq = rp.next_seq(x)
  rp.tier_insert(x, offer.id, r, tier)
  rp.session_count(x, 'admitted')
end

-- A fresh answer offered to the store. `offer.live`: the live entry that it repeats. Returns reason, evicted, demoted.
function rp.offer(x, offer)
  x.s.offers = x.s.offers + 1
  if offer.explicit then rp.next_step(x) end
  local moves = rp.no_moves()
  if offer.live then
    rp.session_count(x, 'refreshed')
    use(x, offer.live, offer, moves)
    return 'duplicate', {}, moves.demoted
  end
  rp.bound(x)
  local r, evicted = new_record(x, offer), {}
  local function make_room(arc)
    if rp.session_size(x) >= rp.bound(x) then evicted[1] = rp.evict_with(x, offer.seed, arc) end
  end
  if rp.qualifies(x, r.importance) then
    make_room()
    rp.free_slot(x, moves.demoted)
    insert(x, offer, r, 'p')
    return 'protected', evicted, moves.demoted
  end
  local fragment, reason = rp.fragments[x.config.eviction], 'open'
  if fragment.gated and not offer.explicit and not offer.replaces then
    reason = rp.pass_gate(x.s, rp.session_size(x), rp.bound(x), x.config.gate)
    if reason == 'below-threshold' then return reason, {}, {} end
  end
  x.s.c = 0
  local arc
  if fragment.victim == 'arc' then
    arc = rp.arc_offer(x, offer.representative)
    if arc.hit ~= 'none' then r.uses = 1 end
  end
  make_room(arc)
  insert(x, offer, r, 'r')
  if reason == 'regret' then rp.session_count(x, 'gated') end
  return reason, evicted, {}
end

-- A judge's verdict; `claim` may be nil. Returns whether the entry was live, and the moves.
function rp.label(x, id, correct, claim)
  rp.session_count(x, correct and 'labels_correct' or 'labels_incorrect')
  local moves, entry = rp.no_moves(), rp.live(x, id)
  if not entry then
    rp.session_count(x, 'labels_late')
    return false, moves
  end
  entry.changed = true
  rp.add_evidence(x.config, entry.r, correct and 1 or 0, correct and 0 or 1, x.s.ticks)
  if correct and claim then
    rp.observe_claim(entry.r, claim.importance, claim.source, x.config.corroboration)
    rp.reposition(x, entry, nil)
    rp.promote(x, entry, moves)
  end
  return true, moves
end
