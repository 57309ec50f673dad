--- @fragment config
--- @summary Parameters of the policies: defaults, and what a policy may set.

local function default_gate()
  return {
    mode = 'fixed', bootstrap = 'fill', lambda = 0.5, floor = 0.1, ceiling = 5, window = 30, tau0 = math.sqrt(5),
    rate = 0.1,
  }
end

-- Defaults of libs/policy (`productPolicy`); numbers that bound something are 0 for "no bound".
function rp.default_config()
  return {
    eviction = 'lru', capacity = 10000, planned_share = 0.5, protected_share = 0.2, gate = default_gate(),
    prior_alpha = 1, prior_beta = 1, cap = 200, aging_every = 5, aging_amount = 0.05, bonus_weight = 0.3,
    bonus_scale = 20, candidates = 64, corroboration = 2, doorkeeper_ratio = 16,
  }
end

local defaults
local known, known_count = {}, 0

-- Nobody changes what this returns. Parameters are read far more often than they change: they are kept by their packed
-- form. (A library may not call `math` while it is loaded: the defaults are made at first use.)
function rp.config(packed)
  if not packed then
    defaults = defaults or rp.default_config()
    return defaults
  end
  local config = known[packed]
  if config then return config end
  if known_count >= 256 then known, known_count = {}, 0 end
  config = cmsgpack.unpack(packed)
  known[packed], known_count = config, known_count + 1
  return config
end

-- Slots of the planned and the protected tier; at least one slot is left for recency.
function rp.slots(config, capacity)
  local wanted = config.protected_share > 0 and math.max(1, math.floor(config.protected_share * capacity)) or 0
  local kept = math.min(capacity - 1, wanted)
  return math.min(capacity - 1 - kept, math.floor(config.planned_share * capacity)), kept
end
