--- @fragment arc
--- @summary ARC's target size and ghost lists (representatives, oldest first); the twin of libs/policy `eviction/arc-ghosts.ts`.
--- @include tiers

local function list(x, name)
  return x.base .. ':gh:arc:' .. name
end

function rp.arc_sizes(x)
  local proven = rp.proven_count(x)
  return { probation = x.sizes.r - proven, proven = proven, room = math.max(0, rp.bound(x) - x.sizes.m - x.sizes.p) }
end

-- Most ghosts that one offer forgets from each list: after a cut of the capacity the next offers do the rest.
local MOST_FORGOTTEN = 64

-- Cases II to IV of the published pseudo-code, up to REPLACE: where the representative was found.
function rp.arc_offer(x, representative)
  local sizes, b1, b2 = rp.arc_sizes(x), list(x, 'b1'), list(x, 'b2')
  local n1, n2 = redis.call('ZCARD', b1), redis.call('ZCARD', b2)
  if redis.call('ZREM', b1, representative) == 1 then
    x.s.arc_p = math.min(sizes.room, x.s.arc_p + math.max(1, n2 / n1))
    return { hit = 'b1' }
  end
  if redis.call('ZREM', b2, representative) == 1 then
    x.s.arc_p = math.max(0, x.s.arc_p - math.max(1, n1 / n2))
    return { hit = 'b2' }
  end
  if sizes.probation >= sizes.room then return { hit = 'none', without_ghost = true } end
  local excess1 = math.min(n1, MOST_FORGOTTEN, math.max(0, sizes.probation + n1 - sizes.room + 1))
  if excess1 > 0 then redis.call('ZREMRANGEBYRANK', b1, 0, excess1 - 1) end
  local total = sizes.probation + sizes.proven + n1 - excess1 + n2
  local excess2 = math.min(n2, MOST_FORGOTTEN, math.max(0, total - 2 * sizes.room + 1))
  if excess2 > 0 then redis.call('ZREMRANGEBYRANK', b2, 0, excess2 - 1) end
  return { hit = 'none' }
end

local function victim_is_probation(x, sizes, offer)
  if sizes.proven == 0 or offer.without_ghost then return true end
  if sizes.probation == 0 then return false end
  return sizes.probation > x.s.arc_p or (offer.hit == 'b2' and sizes.probation == math.floor(x.s.arc_p))
end

-- REPLACE: from which segment the next victim comes, and its rank there.
function rp.arc_victim(x, offer)
  local sizes = rp.arc_sizes(x)
  local probation = victim_is_probation(x, sizes, offer)
  return probation, probation and 0 or sizes.probation
end

-- The victim, whose representative becomes the newest ghost of its list.
function rp.arc_replace(x, offer)
  local probation, rank = rp.arc_victim(x, offer)
  local victim = rp.live(x, rp.id_at(x, 'r', rank))
  if not offer.without_ghost then
    x.s.ghosts = x.s.ghosts + 1
    redis.call('ZREM', list(x, 'b1'), victim.r.representative)
    redis.call('ZREM', list(x, 'b2'), victim.r.representative)
    redis.call('ZADD', list(x, probation and 'b1' or 'b2'), x.s.ghosts, victim.r.representative)
  end
  return victim
end
