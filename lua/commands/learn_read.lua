--- @command learn_read
--- @summary What the learner goes on with: labels and ended conversations behind a position.
--- @key base
--- @arg after name Events behind this one; '' = from the oldest kept one.
--- @arg count int 1..1000 Most events of the reply.
--- @status ok
--- @reply epoch int Changes when labels were removed: what was learned from them is void.
--- @reply version int Version of the snapshot in force; 0: none.
--- @reply events rows(id:text kind:text conversation:text late:bool label:text) Oldest first.
--- @returns A page of events.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include risk
local function learn_read(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local f = redis.call('HMGET', base .. ':cal', 'epoch', 'version')
  return { rp.S.ok, tonumber(f[1] or '0'), tonumber(f[2] or '0'), rp.some(rp.risk_events(base, a.after, a.count)) }
end
