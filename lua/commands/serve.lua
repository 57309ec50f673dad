--- @command serve
--- @summary Returns a candidate's answer if it may still be served, and counts a semantic hit.
--- @key base
--- @arg entryId id The candidate that the decision chose.
--- @arg requestId id The request.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg maxAgeMs int 0..9e15 The tightest age limit.
--- @arg loss num 0..1 Expected loss of the reuse.
--- @arg policyVersion int 0..9e15 The policy version that the decision was made under.
--- @status served gone paused too-old policy-changed
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
--- @include remove
--- @include hit
--- @include decision
local function serve(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  if head.paused then return { rp.S.paused } end
  if head.version ~= a.policyVersion then return { rp.S.policy_changed } end
  local r = rp.record_get(base, a.entryId)
  local d = r and rp.about(r)
  if not d or r.stratum == '' or d.semantic_until <= a.nowMs then
    rp.count(base, 'serve_gone')
    return { rp.S.gone }
  end
  if rp.age(d, a.nowMs) >= a.maxAgeMs then return { rp.S.too_old } end
  local answer = redis.call('GET', base .. ':e:' .. a.entryId)
  if not answer then
    -- A server that drops keys has dropped it: what is left of the entry goes too.
    rp.remove(base, a.entryId)
    rp.count(base, 'serve_gone')
    return { rp.S.gone }
  end

  rp.count(base, 'semantic_hit')
  rp.hit(base, head, a.entryId, r, a.loss)
  rp.note_served(base, a.requestId, a.entryId)
  return {
    rp.S.served, a.entryId, d.created, d.model, d.prompt_tokens, d.completion_tokens, rp.exact_number(d.cost), answer,
  }
end
