--- @fragment store
--- @summary Writes an entry into every key that it lives in, or renews one.
--- @include remove

local M = rp.M
local MOST_EXACT_KEYS = 8

local function meta_of(a, answer_hash, exact_keys)
  local meta = {}
  meta[M.created], meta[M.exact_until], meta[M.semantic_until] = a.createdMs, a.exactUntilMs, a.semanticUntilMs
  meta[M.first_turn], meta[M.history], meta[M.conversation] = a.firstTurn and 1 or 0, a.historyKey, a.conversation
  meta[M.model], meta[M.prompt_tokens], meta[M.completion_tokens] = a.model, a.promptTokens, a.completionTokens
  meta[M.cost], meta[M.exact_keys], meta[M.stratum] = a.costMicroUsd, exact_keys, a.stratum
  meta[M.tags], meta[M.user], meta[M.answer_hash] = a.tags, a.user, answer_hash
  meta[M.valid_until], meta[M.vector_hash] = math.max(a.exactUntilMs, a.semanticUntilMs), a.vectorHash
  return meta
end

-- The hash and the pointers of the exact keys; both end with the answer's own life, whatever uses it. Lifetimes are
-- relative to the caller's clock, so that a server whose clock differs ends them at the caller's time.
local function write(base, id, a, meta)
  local key = base .. ':e:' .. id
  redis.call('HSET', key, 'm', cmsgpack.pack(meta), 'a', a.answer)
  if a.fingerprint ~= '' then redis.call('HSET', key, 'f', a.fingerprint) end
  redis.call('PEXPIRE', key, string.format('%.0f', meta[M.valid_until] - a.createdMs))
  local exact_ms = meta[M.exact_until] - a.createdMs
  for i = 1, #meta[M.exact_keys] do
    local exact = base .. ':x:' .. meta[M.exact_keys][i]
    if exact_ms > 0 then
      redis.call('SET', exact, id, 'PX', string.format('%.0f', exact_ms))
    else
      redis.call('DEL', exact)
    end
  end
end

-- The content of an entry that the engine has given a place.
function rp.store_entry(base, a, answer_hash)
  local meta = meta_of(a, answer_hash, { a.exactKey })
  if a.stratum ~= '' then rp.vectors_add(base, a.stratum, a.id, a.vector) end
  write(base, a.id, a, meta)
end

local function union(list, more, most)
  local has, all = {}, {}
  for _, source in ipairs({ more, list }) do
    for _, value in ipairs(source) do
      if not has[value] and #all < most then
        has[value] = true
        all[#all + 1] = value
      end
    end
  end
  return all
end

-- A newly generated answer for the state that an entry stands for: the entry keeps its id, its place and its record,
-- and its age starts anew. Returns its new end of life.
function rp.refresh(base, id, a, answer_hash)
  local old = rp.meta(base, id)
  local meta = meta_of(a, answer_hash, union(old[M.exact_keys], { a.exactKey }, MOST_EXACT_KEYS))
  meta[M.tags] = union(old[M.tags], a.tags, 64)
  meta[M.vector_hash] = old[M.vector_hash]
  rp.release_exact_keys(base, id, old[M.exact_keys])
  write(base, id, a, meta)
  return meta[M.valid_until]
end
