--- @command policy_defaults
--- @summary Tells a namespace what the configuration says where its stored policy says nothing.
--- @key base
--- @arg policy text The configured policy, JSON.
--- @status ok
--- @reply excess int Entries above the new capacity or the protected share; `trim` removes or demotes them.
--- @returns Nothing changes when it is known already.
--- @flags allow-oom
--- @error RP_ERR_POLICY: the policy is not JSON, or a value in it is not allowed.
--- @include policy_switch
local function policy_defaults(keys, args)
  local base, text = keys[1], rp.read(ARGS, args).policy
  rp.policy_overlay(rp.default_config(), text)
  local before = redis.call('HGET', base, 'defaults')
  if before == text then return { rp.S.ok, 0 } end
  -- A newly configured policy begins itself, whatever the ghosts thought of the last one.
  if before and cjson.decode(before).eviction ~= cjson.decode(text).eviction then redis.call('HDEL', base, 'handed') end
  redis.call('HSET', base, 'defaults', text)
  return { rp.S.ok, rp.policy_apply(base) }
end
