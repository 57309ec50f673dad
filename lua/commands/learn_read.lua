--- @command learn_read
--- @summary What the learner goes on with: labels and ended conversations behind a position.
--- @key base
--- @arg after name Events behind this one; '' = from the oldest kept one, and the axes too.
--- @arg count int 1..1000 Most events of the reply.
--- @status ok
--- @reply epoch int Changes when labels were removed: what was learned from them is void.
--- @reply version int Version of the snapshot in force; 0: none.
--- @reply budget num Error budget of the namespace; -1 = not known.
--- @reply confidence num Confidence with which it is held; -1 = not known.
--- @reply events rows(id:text kind:text conversation:text late:bool label:text) Oldest first.
--- @reply axes? text The axes, when the oldest events were asked for and axes are known.
--- @returns A page of events.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include risk
local function learn_read(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local f = redis.call('HMGET', base .. ':cal', 'epoch', 'version')
  -- The stored policy goes over the configured one.
  local found = { errorBudget = -1, confidence = -1 }
  for _, text in ipairs(redis.call('HMGET', base, 'defaults', 'policy')) do
    local read, policy = pcall(cjson.decode, text or '')
    for name in pairs(found) do
      if read and type(policy) == 'table' and type(policy[name]) == 'number' then found[name] = policy[name] end
    end
  end
  local function exact(value) return string.format('%.17g', value) end
  return {
    rp.S.ok, tonumber(f[1] or '0'), tonumber(f[2] or '0'), exact(found.errorBudget),
    exact(found.confidence), rp.some(rp.risk_events(base, a.after, a.count)),
    a.after == '' and redis.call('GET', base .. ':axes'),
  }
end
