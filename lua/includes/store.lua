--- @fragment store
--- @summary Writes an entry's answer and what leads to it, or renews one.
--- @include remove

local MOST_EXACT_KEYS, MOST_TAGS = 8, 64

-- What an offered entry is about, packed.
function rp.offered_about(a, answer_hash, exact_keys, tags)
  return rp.about_pack({
    created = a.createdMs, exact_until = a.exactUntilMs, semantic_until = a.semanticUntilMs, cost = a.costMicroUsd,
    prompt_tokens = a.promptTokens, completion_tokens = a.completionTokens, first_turn = a.firstTurn and 1 or 0,
    model = a.model, conversation = a.conversation, history = a.historyKey, user = a.user, answer_hash = answer_hash,
    fingerprint = a.fingerprint, exact_keys = exact_keys, tags = tags,
  })
end

-- The answer ends with its own life, whatever uses it. Lifetimes are relative to the caller's clock, so that a server
-- whose clock differs ends them at the caller's time; every call checks them by its own time besides.
local function write_answer(base, id, a, exact_keys)
  local life_ms = math.max(a.exactUntilMs, a.semanticUntilMs) - a.createdMs
  redis.call('SET', base .. ':e:' .. id, a.answer, 'PX', string.format('%.0f', life_ms))
  for i = 1, #exact_keys do
    local exact = base .. ':x:' .. exact_keys[i]
    if a.exactUntilMs > a.createdMs then redis.call('SET', exact, id) else redis.call('DEL', exact) end
  end
end

-- The content of an entry that the engine has given a place.
function rp.store_entry(base, a)
  if a.stratum ~= '' then rp.vectors_add(base, a.stratum, a.id, a.vector) end
  write_answer(base, a.id, a, { a.exactKey })
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

-- A newly generated answer for the state that a live entry stands for: the entry keeps its id, its place and its record,
-- and its age starts anew.
function rp.refresh(base, entry, a, answer_hash)
  local r = entry.r
  local old = rp.about(r)
  local old_keys = rp.list(old.exact_keys)
  local keys = union(old_keys, { a.exactKey }, MOST_EXACT_KEYS)
  rp.release_exact_keys(base, entry.id, old_keys)
  r.about = rp.offered_about(a, answer_hash, keys, union(rp.list(old.tags), a.tags, MOST_TAGS))
  rp.record_tail(r)
  entry.changed = true
  write_answer(base, entry.id, a, keys)
end
