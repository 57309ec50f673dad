--- @command policy_write
--- @summary Puts a policy in force, after checking it.
--- @key base
--- @arg policy text The policy, JSON.
--- @status ok
--- @reply policyVersion int Its version.
--- @reply excess int Entries above the new capacity or the protected share; `trim` removes or demotes them.
--- @returns The new version.
--- @flags allow-oom
--- @error RP_ERR_POLICY: the policy is not JSON, or a value in it is not allowed.
--- @include policy_switch
local function policy_write(keys, args)
  local version, excess = rp.policy_set(keys[1], rp.read(ARGS, args).policy)
  return { rp.S.ok, version, excess }
end
