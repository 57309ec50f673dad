--- @command serve
--- @summary Returns a candidate's answer if it may still be served, and counts a semantic hit.
--- @key base
--- @arg entryId id The candidate that the decision chose.
--- @arg requestId id The request.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg maxAgeMs int 0..9e15 The tightest age limit.
--- @arg loss num 0..1 Expected loss of the reuse.
--- @arg policyVersion int 0..9e15 The policy version that the decision was made under.
--- @arg rule name Rule that decided: `budget` or `cold-start`; empty when nothing was learned.
--- @arg snapshot int 0..9e15 Version of what was learned that it was decided by; 0 = nothing.
--- @arg record text What the decision was made from (JSON), for explain; empty when nothing is to be kept.
--- @arg conversation name The conversation, or empty.
--- @arg user name Hash of the caller-given end user, or empty.
--- @status served gone paused too-old policy-changed snapshot-changed breaker-open
--- @reply id? text Entry id.
--- @reply createdMs? int When the answer was generated.
--- @reply model? text Model of the answer.
--- @reply promptTokens? int Tokens of the stored usage.
--- @reply completionTokens? int Tokens of the stored usage.
--- @reply costMicroUsd? num What the answer cost upstream.
--- @reply answer? text The stored answer.
--- @returns The answer, or why it may not be served any more.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include about
--- @include hit
--- @include decision
--- @include permit
local function serve(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  if head.paused then return { rp.S.paused } end
  if head.version ~= a.policyVersion then return { rp.S.policy_changed } end
  local refusal = rp.not_permitted(base, head, a.rule, a.snapshot)
  if refusal then return { refusal } end
  local d, answer = rp.about_and_answer(base, a.entryId)
  -- Entries of the exact tier end their semantic life when they are made.
  if not d or d.semantic_until <= a.nowMs or d.semantic_until <= d.created then
    rp.count(base, 'serve_gone')
    return { rp.S.gone }
  end
  if rp.age(d, a.nowMs) >= a.maxAgeMs then return { rp.S.too_old } end

  rp.count(base, 'semantic_hit')
  rp.hit(base, head, a.entryId, a.loss, d.cost)
  rp.note_served(base, a.requestId, a.entryId, a.record ~= '' and a)
  return {
    rp.S.served, a.entryId, d.created, d.model, d.prompt_tokens, d.completion_tokens, rp.exact_number(d.cost), answer,
  }
end
