--- @fragment record
--- @summary One packed value an entry in the hash `post`: the policies' numbers, what it stands for, what it is about.

-- 13 doubles in the order of `recordFields` in libs/policy.
local NUMBERS = '<ddddddddddddd'
local SIZE = 104

-- Then three short texts: representative (empty when it is the vector's hash), stratum, hash of the vector.
local NAMES = '<Bc0Bc0Bc0'

-- Then what the entry is about: times and costs as doubles, first turn, texts with their lengths. The last two are
-- lists (MessagePack).
local ABOUT = '<ddddddBHc0Hc0Hc0Hc0Hc0Hc0Hc0Hc0'

-- Every entry has exactly one record here from its admission until it is removed everywhere, also after its answer has
-- expired: the hash is the register by which walks and sweeps find the rest of it.
function rp.record_pack(r)
  return struct.pack(
    NUMBERS, r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.importance, r.sightings,
    r.source, r.clock, r.size, r.novelty
  ) .. (r.tail or rp.record_tail(r))
end

-- What follows the numbers; it is kept as it is while only numbers change.
function rp.record_tail(r)
  local representative = r.representative == r.vector_hash and '' or r.representative
  r.tail = struct.pack(NAMES, #representative, representative, #r.stratum, r.stratum, #r.vector_hash, r.vector_hash)
    .. r.about
  return r.tail
end

function rp.record_unpack(packed)
  local r = {}
  r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.importance, r.sightings, r.source,
    r.clock, r.size, r.novelty = struct.unpack(NUMBERS, packed)
  r.representative, r.stratum, r.vector_hash, r.about_at = struct.unpack(NAMES, packed, SIZE + 1)
  if r.representative == '' then r.representative = r.vector_hash end
  r.tail = string.sub(packed, SIZE + 1)
  r.about_at = r.about_at - SIZE
  return r
end

function rp.record_get(base, id)
  local packed = redis.call('HGET', base .. ':post', id)
  return packed and rp.record_unpack(packed)
end

function rp.record_set(base, id, r)
  redis.call('HSET', base .. ':post', id, rp.record_pack(r))
end

function rp.about_pack(d)
  local keys, tags = cmsgpack.pack(d.exact_keys), cmsgpack.pack(d.tags)
  return struct.pack(
    ABOUT, d.created, d.exact_until, d.semantic_until, d.cost, d.prompt_tokens, d.completion_tokens, d.first_turn,
    #d.model, d.model, #d.conversation, d.conversation, #d.history, d.history, #d.user, d.user,
    #d.answer_hash, d.answer_hash, #d.fingerprint, d.fingerprint, #keys, keys, #tags, tags)
end

function rp.inserted_seq(packed)
  return (struct.unpack('<d', packed, 25))
end

-- What a record is about. Lists stay packed: `rp.list` reads them.
function rp.about(r)
  local d = {}
  d.created, d.exact_until, d.semantic_until, d.cost, d.prompt_tokens, d.completion_tokens, d.first_turn, d.model,
    d.conversation, d.history, d.user, d.answer_hash, d.fingerprint, d.exact_keys, d.tags =
    struct.unpack(ABOUT, r.tail, r.about_at)
  return d
end

function rp.list(packed)
  return cmsgpack.unpack(packed)
end

-- The end of an answer's life in both tiers.
function rp.valid_until(d)
  return math.max(d.exact_until, d.semantic_until)
end

-- Clocks of replicas differ a little: an entry from the future is new, not infinitely young.
function rp.age(d, now)
  return math.max(0, now - d.created)
end

-- A number as text from which the same double is read again.
function rp.exact_number(value)
  return string.format('%.17g', value)
end
