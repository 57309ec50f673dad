--- @fragment posterior
--- @summary Aging and evidence of an entry's Beta posterior; the twin of libs/policy `eviction/posterior.ts`.

local function bounded(config, alpha, beta)
  local sum = alpha + beta
  if config.cap == 0 or sum <= config.cap then return alpha, beta end
  return math.max(config.prior_alpha, (alpha * config.cap) / sum), math.max(config.prior_beta, (beta * config.cap) / sum)
end

-- The posterior in force at aging tick `ticks`: aged lazily, then bounded.
function rp.posterior_of(config, alpha, beta, tick, ticks)
  return bounded(config, alpha, beta + config.aging_amount * (ticks - tick))
end

function rp.posterior_at(config, r, ticks)
  return rp.posterior_of(config, r.alpha, r.beta, r.tick, ticks)
end

function rp.add_evidence(config, r, alpha, beta, ticks)
  local aged = r.beta + config.aging_amount * (ticks - r.tick)
  r.alpha, r.beta = bounded(config, r.alpha + alpha, aged + beta)
  r.tick = ticks
end
