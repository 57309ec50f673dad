--- @fragment entry
--- @summary An entry's hash: packed metadata `m`, answer `a`, fingerprints `f`.
--- @include args

-- Positions in the packed metadata (MessagePack array).
local M = {
  created = 1, exact_until = 2, semantic_until = 3, first_turn = 4, history = 5, conversation = 6, model = 7,
  prompt_tokens = 8, completion_tokens = 9, cost = 10, exact_keys = 11, stratum = 12, tags = 13, user = 14,
  answer_hash = 15, valid_until = 16, vector_hash = 17,
}
rp.M = M

function rp.entry_key(base, id)
  return base .. ':e:' .. id
end

function rp.meta(base, id)
  local packed = redis.call('HGET', base .. ':e:' .. id, 'm')
  return packed and cmsgpack.unpack(packed)
end

-- Clocks of replicas differ a little: an entry from the future is new, not infinitely young.
function rp.age(meta, now)
  return math.max(0, now - meta[M.created])
end

-- The members that every served answer starts with.
function rp.meta_reply(id, meta)
  return id, meta[M.created], meta[M.model], meta[M.prompt_tokens], meta[M.completion_tokens], meta[M.cost]
end
