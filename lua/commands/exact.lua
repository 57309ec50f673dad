--- @command exact
--- @summary Answers a request whose exact key is stored; counts it and touches the entry.
--- @key base
--- @arg exactKey id Hash of compat and canonical messages.
--- @arg requestId id The request.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg maxAgeMs int 0..9e15 The tightest age limit.
--- @arg loss num 0..1 Expected loss of the reuse.
--- @arg policyVersion int 0..9e15 The policy version that the caller holds.
--- @status hit miss paused too-old
--- @reply policyVersion int Policy version in force.
--- @reply snapshotVersion int Version of what was learned that is in force; 0: nothing.
--- @reply policy? text Policy JSON when the caller's version is another; '' when none is stored.
--- @reply purges? int Purges of the namespace so far, for `admit`.
--- @reply id? text Entry id.
--- @reply createdMs? int When the answer was generated.
--- @reply model? text Model of the answer.
--- @reply promptTokens? int Tokens of the stored usage.
--- @reply completionTokens? int Tokens of the stored usage.
--- @reply costMicroUsd? num What the answer cost upstream.
--- @reply answer? text The stored answer.
--- @returns The answer, or why there is none.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include about
--- @include exact_keys
--- @include hit
--- @include decision
local function exact(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local news = rp.policy_news(base, head, a.policyVersion)
  if head.paused then return { rp.S.paused, head.version, head.snapshot, news, head.purges } end

  local function none(status, counter)
    rp.count(base, counter)
    return { status, head.version, head.snapshot, news, head.purges }
  end
  local id = rp.exact_owner(base, a.exactKey)
  if not id then return none(rp.S.miss, 'exact_miss') end
  local d, answer = rp.about_and_answer(base, id)
  if not d then
    -- A pointer whose entry has expired, or that a server has dropped.
    rp.exact_forget(base, a.exactKey)
    return none(rp.S.miss, 'exact_miss')
  end
  if d.exact_until <= a.nowMs then return none(rp.S.miss, 'exact_miss') end
  if rp.age(d, a.nowMs) >= a.maxAgeMs then return none(rp.S.too_old, 'exact_too_old') end

  rp.count(base, 'exact_hit')
  rp.hit(base, head, id, a.loss, d.cost)
  rp.note_served(base, a.requestId, id)
  return {
    rp.S.hit, head.version, head.snapshot, news, head.purges, id, d.created, d.model, d.prompt_tokens, d.completion_tokens,
    rp.exact_number(d.cost), answer,
  }
end
