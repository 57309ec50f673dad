--- @fragment scores
--- @summary What the policies differ in: gate, whether a use moves, the victim's score; the twin of libs/policy `eviction/scores.ts`.
--- @include posterior
--- @include random
--- @include record

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

-- Each makes the score of one session: a function of a packed record. Only the members that a score needs are unpacked,
-- at their byte positions: last_step 32, uses 37. An eviction scores 64 entries, so what is the same for all of them is
-- looked up once.
rp.scores = {
  -- The posterior aged and bounded as in `rp.posterior_at`, written out.
  thompson = function(x, draw_beta)
    local config, step, ticks = x.config, x.s.step, x.s.ticks
    local amount, cap, weight, scale = config.aging_amount, config.cap, config.bonus_weight, config.bonus_scale
    local unpack, floor = struct.unpack, math.floor
    return function(packed)
      local alpha, beta, tick, _, inserted_step = unpack('<ddI5I5I5', packed)
      beta = beta + amount * (ticks - tick)
      if cap ~= 0 and alpha + beta > cap then
        alpha, beta = math.max(config.prior_alpha, (alpha * cap) / (alpha + beta)),
          math.max(config.prior_beta, (beta * cap) / (alpha + beta))
      end
      local age = step > inserted_step and step - inserted_step or 0
      return floor((draw_beta(alpha, beta) + weight / (1 + age / scale)) * 1e9 + 0.5)
    end
  end,
  blend = function(x)
    local step, offers = x.s.step, math.max(1, x.s.offers)
    return function(packed)
      local last_step, uses = struct.unpack('<I5I5', packed, 32)
      local _, _, _, novelty = rp.record_unusual(packed)
      local recency = math.exp(-math.max(0, step - last_step) / 100)
      return rp.on_grid(0.4 * recency + 0.3 * (uses / offers) + 0.3 * novelty)
    end
  end,
  uses = function()
    return function(packed) return (struct.unpack('<I5', packed, 37)) end
  end,
  importance = function()
    return function(packed) return (rp.record_unusual(packed)) end
  end,
  greedy_dual = function()
    return function(packed)
      local importance, clock, size = rp.record_unusual(packed)
      return clock + importance / size
    end
  end,
  greedy_dual_frequency = function()
    return function(packed)
      local importance, clock, size = rp.record_unusual(packed)
      return clock + ((struct.unpack('<I5', packed, 37) + 1) * importance) / size
    end
  end,
}
