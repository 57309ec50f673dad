--- @fragment representative
--- @summary Finds the entries that stand for the same state as an offered one.
--- @include record
--- @include vectors

-- The quantised index tells an equal vector from itself with a cosine down to .9987 (measured at 384 and 1,152 dimensions).
local NEAR = 0.998

function rp.check_vector(base, a)
  if (a.stratum == '') ~= (#a.vector == 0) or #a.vector % 4 ~= 0 then
    rp.fail('RP_ERR_ARGUMENT', 'a stratum needs a vector of float32, and a vector a stratum')
  end
  local bytes = a.stratum ~= '' and rp.vectors_bytes(base, a.stratum)
  if bytes and bytes ~= #a.vector then
    rp.fail('RP_ERR_ARGUMENT', 'vector has another size than its stratum')
  end
end

-- Entries of the stratum with the same representative: near vector, equal fingerprint, history and turn. And how far the
-- nearest entry of any kind is.
local function same_representatives(base, a)
  local found = {}
  local size = a.stratum ~= '' and rp.vectors_size(base, a.stratum) or 0
  if size == 0 then return found, 1 end
  local near = rp.vectors_nearest(base, a.stratum, a.vector, 4, size)
  for i = 1, #near, 2 do
    local r = 2 * tonumber(near[i + 1]) - 1 >= NEAR and rp.record_get(base, near[i])
    local d = r and rp.about(r)
    if d and d.fingerprint == a.fingerprint and d.history == a.historyKey and d.first_turn == (a.firstTurn and 1 or 0) then
      found[#found + 1] = { id = near[i], r = r, d = d }
    end
  end
  return found, math.min(1, math.max(0, 2 - 2 * tonumber(near[2] or '0')))
end

-- Id of the entry that has the same state and the same answer (to be refreshed), the ids that the offered entry
-- replaces (the one under its exact key and those with an equal vector, whose answer is another), and the novelty.
function rp.same_state(base, a, answer_hash)
  local old = {}
  local others, novelty = same_representatives(base, a)
  local id = redis.call('GET', base .. ':x:' .. a.exactKey)
  local r = id and rp.record_get(base, id)
  local d = r and rp.about(r)
  if d and d.exact_until <= a.createdMs then id, d = nil, nil end
  if d then
    if d.answer_hash == answer_hash and r.stratum == a.stratum and r.vector_hash == a.vectorHash then
      return id, old, novelty
    end
    old[1] = id
  end
  for _, other in ipairs(others) do
    if other.id ~= id then
      if other.d.answer_hash == answer_hash then return other.id, old, novelty end
      if other.r.vector_hash == a.vectorHash then old[#old + 1] = other.id end
    end
  end
  return nil, old, novelty
end
