--- @fragment policy_switch
--- @summary Puts parameters in force for the same entries; the twin of libs/policy `PolicyStore.switchPolicy`.
--- @include policy
--- @include install

-- What each mode of the gate reads.
local GATE_MEMBERS = {
  fixed = { 'mode', 'bootstrap', 'floor', 'ceiling', 'lambda' },
  adaptive = { 'mode', 'bootstrap', 'floor', 'ceiling', 'lambda', 'window' },
  ['paper-literal'] = { 'mode', 'bootstrap', 'floor', 'ceiling', 'tau0', 'rate' },
}

local function same_gate(a, b)
  for _, name in ipairs(GATE_MEMBERS[a.mode]) do
    if b[name] ~= a[name] then return false end
  end
  return true
end

-- Parameters = built-in defaults, the configured ones, the stored policy, each over the one before; then the policy
-- that ghosts handed the recency tier to, unless the stored policy names one or the ghosts are off. Also returns what
-- `eviction` would be without them, and whether the stored policy names it.
function rp.parameters(base)
  local texts = redis.call('HMGET', base, 'defaults', 'policy', 'handed')
  local config = rp.default_config()
  if texts[1] then config = rp.policy_overlay(config, texts[1]) end
  if texts[2] then config = rp.policy_overlay(config, texts[2]) end
  local configured, named = config.eviction, texts[2] and cjson.decode(texts[2]).eviction ~= nil or false
  if texts[3] and not named and config.ghosts ~= 'off' then config.eviction = texts[3] end
  return config, configured, named
end

-- The recency tier goes on under another policy: no entry moves and the policy's version stays, so no request is refused.
function rp.hand_over(base, eviction)
  redis.call('HSET', base, 'handed', eviction)
  redis.call('HSET', base, 'config', cmsgpack.pack((rp.parameters(base))))
end

-- Takes over what the fields `defaults` and `policy` say. Returns entries above the new bounds.
function rp.policy_apply(base)
  local x = rp.session(base, rp.head(base))
  local old, capacity = x.config, x.head.capacity
  x.config = rp.parameters(base)
  if x.config.ghosts == 'off' then
    redis.call('HDEL', base, 'handed')
    redis.call('DEL', base .. ':ev', base .. ':gh:state')
  end
  x.head.config = x.config
  if not same_gate(old.gate, x.config.gate) then
    x.s.c, x.s.tau, x.s.last_delta, x.s.window, x.s.slope = 0, rp.initial_tau(x.config.gate), 0, '', 0
  end
  redis.call('HDEL', base, 'capacity')
  redis.call('HSET', base, 'config', cmsgpack.pack(x.config))
  rp.resize(x, capacity, x.config.capacity)
  rp.fit_tiers(x)
  rp.session_end(x)
  return rp.excess(x)
end

-- Stores a policy and puts it in force; raises and changes nothing when it is not valid. Returns version and excess.
function rp.policy_set(base, text)
  local defaults = redis.call('HGET', base, 'defaults')
  local config = rp.default_config()
  if defaults then config = rp.policy_overlay(config, defaults) end
  rp.policy_overlay(config, text)
  redis.call('HSET', base, 'policy', text)
  -- What an operator names is not handed back when the name goes again.
  if cjson.decode(text).eviction ~= nil then redis.call('HDEL', base, 'handed') end
  local version = redis.call('HINCRBY', base, 'version', 1)
  return version, rp.policy_apply(base)
end
