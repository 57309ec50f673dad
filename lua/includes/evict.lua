--- @fragment evict
--- @summary Brings the namespace down to a size, by the policy's choice of victims.
--- @include tiers
--- @include remove

-- Work is bounded: a call removes at most this many.
local MOST = 64

-- Removes victims until at most `size` entries are there; the removed ids.
function rp.evict_to(base, size)
  local removed = {}
  local excess = math.min(rp.size(base) - size, MOST)
  while excess > 0 do
    local victim = redis.call('ZRANGE', base .. ':t:r', 0, 0)[1]
    if not victim then break end
    rp.remove(base, victim, rp.meta(base, victim))
    removed[#removed + 1] = victim
    excess = excess - 1
  end
  return removed
end
