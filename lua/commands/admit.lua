--- @command admit
--- @summary Offers an entry; stores it, refreshes an equal one or refuses it, and evicts what the capacity no longer holds.
--- @key base
--- @arg id id Entry id.
--- @arg requestId id Idempotency: the same request admits once.
--- @arg exactKey id Hash of compat and canonical messages.
--- @arg stratum name Stratum, empty for entries of the exact tier only.
--- @arg vector bytes Unit vector, float32 little-endian; empty without stratum.
--- @arg vectorHash name Hash of the vector's bytes.
--- @arg fingerprint text Fingerprint of the state for the guards.
--- @arg dossier bytes What scoring needs of the entry; empty when it is not to be scored.
--- @arg firstTurn bool The entry answers a first user message.
--- @arg historyKey name Hash of the history before the current message.
--- @arg conversation name Conversation that it was produced in.
--- @arg answer text The captured answer.
--- @arg model text Model of the answer.
--- @arg tags list Tags for purges.
--- @arg user name Hash of the caller-given end user.
--- @arg createdMs int 0..9e15 When the answer was generated.
--- @arg exactUntilMs int 0..9e15 End of service in the exact tier.
--- @arg semanticUntilMs int 0..9e15 End of service in the semantic tier.
--- @arg promptTokens int 0..1e12 Tokens of the stored usage.
--- @arg completionTokens int 0..1e12 Tokens of the stored usage.
--- @arg costMicroUsd num 0..1e15 What the answer cost upstream.
--- @arg representative id Identity of the state, for ghosts and corroboration.
--- @arg loss num -1..1 Loss of the request that the answer was generated for; -1 when it was counted before.
--- @arg importance num 0..1e15 Claimed value for the protected tier.
--- @arg source int 0..2147483647 Hash of who claims; 0 = not known.
--- @arg size num 0.000000001..1e15 Size in the namespace's unit.
--- @arg novelty num -1..1 1 - similarity to the nearest entry; -1 = by the vector.
--- @arg explicit bool Asked for by name: the gate is not asked.
--- @arg purges int -1..9e15 Purges of the namespace when its request began; -1 = not known.
--- @arg seed int 0..2147483647 Seed of the eviction draw.
--- @status stored refreshed duplicate rejected paused
--- @reply id text The entry that holds the answer now ('' when none).
--- @reply reason text One word why.
--- @reply evicted list Ids that left for it.
--- @returns What became of the entry.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range, or the vector has another size than its stratum.
--- @include base
--- @include representative
--- @include quarantine
--- @include store
--- @include decision
--- @include engine
--- @include memo
--- @include events
local function admit(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local seen = rp.memo_text(base, 'a:' .. a.requestId)
  if seen then return { rp.S.duplicate, seen, 'request-seen' } end
  if head.paused then return { rp.S.paused, '', 'paused' } end
  rp.check_vector(base, a)

  local function finish(status, id, reason, evicted)
    rp.memo_note(base, 'a:' .. a.requestId, id)
    if id ~= '' then rp.note_made(base, a.requestId, id) end
    if status == rp.S.rejected then rp.count(base, 'rejected') end
    return { status, id, reason, rp.some(evicted) }
  end
  local answer_hash = rp.short(string.sub(redis.sha1hex(a.answer), 1, 16))
  local refused = rp.quarantined(base, a.id, a.exactKey, answer_hash) and 'quarantined'
    or a.purges >= 0 and a.purges ~= head.purges and 'purged'
    or rp.offered_until(a) <= a.createdMs and 'no-lifetime'

  local same, old, novelty
  if not refused then
    same, old, novelty = rp.same_state(base, a, answer_hash)
    -- An id is one entry: whatever else lives under it makes room.
    if same ~= a.id and redis.call('HEXISTS', base .. ':post', a.id) == 1 then old[#old + 1] = a.id end
    for i = 1, #old do rp.remove(base, old[i]) end
  end
  local x = rp.session(base, head)
  if a.loss >= 0 then rp.feedback(x, {}, a.loss, { importance = 0, source = 0 }) end
  if refused then
    rp.session_end(x)
    return finish(rp.S.rejected, '', refused, {})
  end

  local live = same and rp.live(x, same)
  local reason, evicted = rp.offer(x, {
    id = a.id, representative = a.representative, importance = a.importance, source = a.source, size = a.size,
    novelty = a.novelty >= 0 and a.novelty or novelty, explicit = a.explicit, replaces = #old > 0, seed = a.seed, live = live,
    stratum = a.stratum, exact_keys = { a.exactKey }, valid_until = rp.offered_until(a),
  })
  local kind = a.explicit and 'write' or a.loss >= 0 and 'miss' or 'offer'
  rp.event(x, kind, live and live.r.representative or a.representative, math.max(a.loss, 0), a)
  if live then rp.refresh(base, live, a, answer_hash) end
  rp.session_end(x)
  if live then return finish(rp.S.refreshed, same, 'same-answer', {}) end
  if reason == 'below-threshold' then return finish(rp.S.rejected, '', reason, {}) end
  rp.store_entry(base, a, x.entries[a.id].r.inserted_seq, answer_hash)
  -- A few copies of a set that is being built anew.
  if a.stratum ~= '' then rp.compact_step(base, 16, 2) end
  return finish(rp.S.stored, a.id, #old > 0 and 'replaced' or reason, evicted)
end
