--- @fragment representative
--- @summary Finds the entries that stand for the same state as an offered one.
--- @include about
--- @include record
--- @include vectors
--- @include exact_keys

-- The quantised index tells an equal vector from itself with a cosine down to .9987 (measured at 384 and 1,152 dimensions).
local NEAR = 0.998
-- So many of the nearest live entries are compared; dead members in between are skipped.
local MOST, LOOKS = 4, 48

function rp.check_vector(base, a)
  if (a.stratum == '') ~= (#a.vector == 0) or #a.vector % 4 ~= 0 then
    rp.fail('RP_ERR_ARGUMENT', 'a stratum needs a vector of float32, and a vector a stratum')
  end
  if a.stratum == '' then return end
  a.stratum_size = rp.vectors_size(base, a.stratum)
  if a.stratum_size > 0 and rp.vectors_bytes(base, a.stratum) ~= #a.vector then
    rp.fail('RP_ERR_ARGUMENT', 'vector has another size than its stratum')
  end
end

-- Entries of the stratum with the same representative: near vector, equal fingerprint, history and turn. And how far the
-- nearest entry of any kind is.
local function same_representatives(base, a)
  local found = {}
  local size = a.stratum_size or 0
  if size == 0 then return found, 1 end
  local novelty, looked = 1, 0
  local near = rp.vectors_nearest(base, a.stratum, a.vector, math.min(size, LOOKS), size)
  for i = 1, #near, 2 do
    local similarity = 2 * tonumber(near[i + 1]) - 1
    local id, seq = rp.member_parts(near[i])
    local d = rp.about(base, id)
    if d and d.seq == seq then
      if looked == 0 then novelty = math.min(1, math.max(0, 1 - similarity)) end
      looked = looked + 1
      if similarity >= NEAR and d.fingerprint == a.fingerprint and d.history == a.historyKey
        and d.first_turn == (a.firstTurn and 1 or 0) then
        found[#found + 1] = { id = id, d = d }
      end
    end
    -- Most similar first: what follows is no nearer.
    if looked == MOST or similarity < NEAR and looked > 0 then break end
  end
  return found, novelty
end

-- Whether an entry was made for the vector whose hash (short) is given, and, if a stratum is given, is in it.
local function was_made_for(base, id, d, hash, stratum)
  local same = d.vector_hash == rp.SAME
  local r = (same or stratum) and rp.record_get(base, id)
  if stratum and not (r and r.stratum == stratum) then return false end
  if same then return r and rp.short(r.representative) == hash or false end
  return d.vector_hash == hash
end

-- Id of the entry that has the same state and the same answer (to be refreshed), the ids that the offered entry
-- replaces (the one under its exact key and those with an equal vector, whose answer is another), and the novelty.
function rp.same_state(base, a, answer_hash)
  local old, vector_hash = {}, rp.short(a.vectorHash)
  local others, novelty = same_representatives(base, a)
  local id = rp.exact_owner(base, a.exactKey)
  local d = id and rp.about(base, id)
  if d and d.exact_until <= a.createdMs then id, d = nil, nil end
  if d then
    if d.answer_hash == answer_hash and was_made_for(base, id, d, vector_hash, a.stratum) then
      return id, old, novelty
    end
    old[1] = id
  end
  for _, other in ipairs(others) do
    if other.id ~= id then
      if other.d.answer_hash == answer_hash then return other.id, old, novelty end
      if was_made_for(base, other.id, other.d, vector_hash) then old[#old + 1] = other.id end
    end
  end
  return nil, old, novelty
end
