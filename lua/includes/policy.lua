--- @fragment policy
--- @summary Checks a policy and puts it in force: the JSON as given, and what the functions read as fields of the base hash.
--- @include base
--- @include tiers

local function whole(value, min, max)
  return type(value) == 'number' and value >= min and value <= max and value == math.floor(value)
end

local function known_order(name)
  return type(name) == 'string' and rp.order[name] ~= nil
end

-- The members that the functions themselves read; all others belong to the gateway and are kept as they are.
local members = {
  { 'capacity', function(v) return whole(v, 1, 10000000) end, 'a whole number from 1 to 10000000' },
  { 'eviction', known_order, 'the name of an eviction policy' },
}

-- Returns the new version; raises RP_ERR_POLICY and changes nothing when the policy is not valid.
function rp.policy_set(base, text)
  local read, policy = pcall(cjson.decode, text)
  if not read or type(policy) ~= 'table' or string.sub(text, 1, 1) ~= '{' then
    rp.fail('RP_ERR_POLICY', 'The policy is not a JSON object.')
  end
  for _, member in ipairs(members) do
    local value = policy[member[1]]
    if value ~= nil and not member[2](value) then
      rp.fail('RP_ERR_POLICY', member[1] .. ' must be ' .. member[3] .. '.')
    end
  end
  for _, member in ipairs(members) do
    local value = policy[member[1]]
    if value == nil then
      redis.call('HDEL', base, member[1])
    else
      redis.call('HSET', base, member[1], type(value) == 'number' and string.format('%.17g', value) or value)
    end
  end
  redis.call('HSET', base, 'policy', text)
  return redis.call('HINCRBY', base, 'version', 1)
end
