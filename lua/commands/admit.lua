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
--- @arg importance num 0..1e15 Value for the protected tier.
--- @arg seed int 0..2147483647 Seed of the eviction draw.
--- @status stored refreshed duplicate rejected paused
--- @reply id text The entry that holds the answer now ('' when none).
--- @reply reason text One word why.
--- @reply evicted list Ids that left for it.
--- @returns What became of the entry.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range, or the vector has another size than its stratum.
--- @include base
--- @include state
--- @include quarantine
--- @include store
--- @include evict
local function admit(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local seen_key = base .. ':seen:' .. a.requestId
  local seen = redis.call('GET', seen_key)
  if seen then return { rp.S.duplicate, seen, 'request-seen', {} } end
  if head.paused then return { rp.S.paused, '', 'paused', {} } end
  rp.check_vector(base, a)

  local function finish(status, id, reason, evicted)
    redis.call('SET', seen_key, id, 'PX', 600000)
    return { status, id, reason, evicted }
  end
  local function refuse(reason)
    rp.count(base, 'admit_rejected')
    return finish(rp.S.rejected, '', reason, {})
  end
  local answer_hash = redis.sha1hex(a.answer)
  if rp.quarantined(base, a.id, a.exactKey, answer_hash) then return refuse('quarantined') end
  if math.max(a.exactUntilMs, a.semanticUntilMs) <= a.createdMs then return refuse('no-lifetime') end

  local same, old = rp.same_state(base, a, answer_hash)
  for i = 1, #old do rp.remove(base, old[i], rp.meta(base, old[i])) end
  if same then
    rp.refresh(base, same, a, answer_hash)
    rp.count(base, 'admit_refreshed')
    return finish(rp.S.refreshed, same, 'same-answer', {})
  end
  -- An id is one entry: whatever lives under it makes room.
  rp.remove(base, a.id, rp.meta(base, a.id))
  local evicted = rp.evict_to(base, head.capacity - 1)
  if rp.size(base) >= head.capacity then return refuse('no-room') end
  rp.insert(base, a, answer_hash, head, rp.step(base))
  rp.count(base, 'admit_stored')
  if #evicted > 0 then redis.call('HINCRBY', base .. ':st', 'evicted', #evicted) end
  return finish(rp.S.stored, a.id, #old > 0 and 'replaced' or 'new', evicted)
end
