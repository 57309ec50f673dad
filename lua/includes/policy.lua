--- @fragment policy
--- @summary Reads the policies' parameters out of a policy's JSON, after checking them.
--- @include base
--- @include scores

local function number(min, max, integral)
  return function(v)
    return type(v) == 'number' and v >= min and v <= max and (not integral or v == math.floor(v))
  end
end

local function one_of(names)
  return function(v) return type(v) == 'string' and names[v] ~= nil end
end

-- What the functions read of a policy, where it goes in the parameters, and what it may be. All other members belong to
-- the gateway and are kept as they are.
local members = {
  { 'capacity', 'capacity', number(1, 1e7, true), 'a whole number from 1 to 10000000' },
  { 'eviction', 'eviction', one_of(rp.fragments), 'the name of an eviction policy' },
  { 'ghosts', 'ghosts', one_of({ on = 1, off = 1 }), 'on or off' },
  { 'shares.planned', 'planned_share', number(0, 1), 'from 0 to 1' },
  { 'shares.protected', 'protected_share', number(0, 1), 'from 0 to 1' },
  { 'gate.mode', 'gate.mode', one_of({ fixed = 1, adaptive = 1, ['paper-literal'] = 1 }), 'fixed, adaptive or paper-literal' },
  { 'gate.bootstrap', 'gate.bootstrap', one_of({ fill = 1, paper = 1 }), 'fill or paper' },
  { 'gate.lambda', 'gate.lambda', number(0.001, 1000), 'from .001 to 1000' },
  { 'gate.floor', 'gate.floor', number(0, 1000), 'from 0 to 1000' },
  { 'gate.ceiling', 'gate.ceiling', number(0, 1000), 'from 0 to 1000' },
  { 'gate.window', 'gate.window', number(2, 1000, true), 'a whole number from 2 to 1000' },
  { 'gate.tau0', 'gate.tau0', number(0, 1000), 'from 0 to 1000' },
  { 'gate.rate', 'gate.rate', number(0, 1), 'from 0 to 1' },
  { 'posterior.priorAlpha', 'prior_alpha', number(1, 1e6), 'from 1 to 1000000' },
  { 'posterior.priorBeta', 'prior_beta', number(1, 1e6), 'from 1 to 1000000' },
  { 'posterior.cap', 'cap', number(0, 1e9), 'from 0 (no bound) to 1e9' },
  { 'posterior.agingEvery', 'aging_every', number(1, 1e9, true), 'a whole number of at least 1' },
  { 'posterior.agingAmount', 'aging_amount', number(0, 1000), 'from 0 to 1000' },
  { 'bonus.weight', 'bonus_weight', number(0, 1000), 'from 0 to 1000' },
  { 'bonus.scale', 'bonus_scale', number(0.001, 1e9), 'from .001 to 1e9' },
  { 'evictionCandidates', 'candidates', function(v) return number(0, 256, true)(v) and v % 8 == 0 end,
    'a multiple of 8, at most 256; 0 = 256' },
  { 'corroboration', 'corroboration', number(1, 1000, true), 'a whole number from 1 to 1000' },
  { 'doorkeeperRatio', 'doorkeeper_ratio', number(0, 1024), 'from 0 to 1024' },
}

local function place(path)
  local outer, inner = string.match(path, '^(%w+)%.(%w+)$')
  return outer or path, inner
end

local function read_member(policy, path)
  local outer, inner = place(path)
  local value = policy[outer]
  if not inner or value == nil then return value end
  if type(value) ~= 'table' then rp.fail('RP_ERR_POLICY', outer .. ' must be an object.') end
  return value[inner]
end

-- Overlays a policy's JSON on parameters; raises RP_ERR_POLICY when it is not valid.
function rp.policy_overlay(config, text)
  local read, policy = pcall(cjson.decode, text)
  if not read or type(policy) ~= 'table' or not string.find(text, '^%s*{') then
    rp.fail('RP_ERR_POLICY', 'The policy is not a JSON object.')
  end
  for _, member in ipairs(members) do
    local value = read_member(policy, member[1])
    if value ~= nil then
      if not member[3](value) then rp.fail('RP_ERR_POLICY', member[1] .. ' must be ' .. member[4] .. '.') end
      local outer, inner = place(member[2])
      if inner then config[outer][inner] = value else config[outer] = value end
    end
  end
  if config.planned_share + config.protected_share > 1 + 1e-9 then
    rp.fail('RP_ERR_POLICY', 'shares.planned and shares.protected must not exceed 1 together.')
  end
  return config
end
