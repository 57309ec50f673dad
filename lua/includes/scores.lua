--- @fragment scores
--- @summary What the policies differ in: gate, whether a use moves, the victim's score; the twin of libs/policy `eviction/scores.ts`.
--- @include posterior
--- @include random

-- victim: `oldest`, `arc`, or the name of a score (the lowest goes).
rp.fragments = {
  solar = { gated = true, moves = true, victim = 'thompson' },
  ['solar-a'] = { gated = true, moves = true, victim = 'blend' },
  ['solar-e'] = { gated = false, moves = true, victim = 'thompson' },
  fifo = { gated = false, moves = false, victim = 'oldest' },
  lru = { gated = false, moves = true, victim = 'oldest' },
  lfu = { gated = false, moves = true, victim = 'uses' },
  arc = { gated = false, moves = true, victim = 'arc' },
  gds = { gated = false, moves = true, victim = 'greedy_dual' },
  gdsf = { gated = false, moves = true, victim = 'greedy_dual_frequency' },
  value = { gated = false, moves = true, victim = 'importance' },
  ['two-tier'] = { gated = false, moves = true, victim = 'oldest' },
}

-- score(session, record, uniform)
rp.scores = {
  thompson = function(x, r, uniform)
    local alpha, beta = rp.posterior_at(x.config, r, x.s.ticks)
    local age = math.max(0, x.s.step - r.inserted_step)
    return rp.on_grid(rp.draw_beta(alpha, beta, uniform) + x.config.bonus_weight / (1 + age / x.config.bonus_scale))
  end,
  blend = function(x, r)
    local recency = math.exp(-math.max(0, x.s.step - r.last_step) / 100)
    local frequency = r.uses / math.max(1, x.s.offers)
    return rp.on_grid(0.4 * recency + 0.3 * frequency + 0.3 * r.novelty)
  end,
  uses = function(_, r) return r.uses end,
  importance = function(_, r) return r.importance end,
  greedy_dual = function(_, r) return r.clock + r.importance / r.size end,
  greedy_dual_frequency = function(_, r) return r.clock + ((r.uses + 1) * r.importance) / r.size end,
}
