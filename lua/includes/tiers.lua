--- @fragment tiers
--- @summary The three tiers (planned `t:m`, protected `t:p`, recency `t:r`) and the order inside the recency tier.
--- @include posterior

function rp.size(base)
  return redis.call('ZCARD', base .. ':t:m') + redis.call('ZCARD', base .. ':t:p') + redis.call('ZCARD', base .. ':t:r')
end

-- The order of the recency tier by policy: what a use changes, and what a new entry starts with. Lowest leaves first.
rp.order = {
  lru = {
    insert = function(_, step) return step end,
    use = function(_, step) return step end,
  },
}

-- Counts a use of a live entry and moves it in its policy's order.
function rp.touch(base, id, head, step)
  local p = rp.post_get(base, id)
  if not p then return end
  p.uses = p.uses + 1
  p.last = step
  rp.post_set(base, id, p)
  local score = rp.order[head.eviction].use(p, step)
  if score then redis.call('ZADD', base .. ':t:r', 'XX', string.format('%.17g', score), id) end
end
