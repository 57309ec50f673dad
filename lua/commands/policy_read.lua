--- @command policy_read
--- @summary Policy version, policy and pause flag in force.
--- @key base
--- @arg policyVersion int 0..9e15 The policy version that the caller holds.
--- @status ok
--- @reply policyVersion int Policy version in force.
--- @reply snapshotVersion int Version of what was learned that is in force; 0: nothing.
--- @reply policy? text Policy JSON when the caller's version is another; '' when none is stored.
--- @reply paused? bool The namespace is paused.
--- @reply purges? int Purges of the namespace so far, for `admit`.
--- @returns The namespace's head.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
local function policy_read(keys, args)
  local a = rp.read(ARGS, args)
  local head = rp.head(keys[1])
  local news = rp.policy_news(keys[1], head, a.policyVersion)
  return { rp.S.ok, head.version, head.snapshot, news, head.paused and 1 or 0, head.purges }
end
