--- @fragment store
--- @summary Writes an entry's answer and what leads to it, or renews one.
--- @include remove

local MOST_EXACT_KEYS, MOST_TAGS = 8, 64

-- What an offered entry is about, packed.
local function about_of(a, seq, answer_hash, tags)
  return rp.about_pack({
    dossier_length = #a.dossier, seq = seq, created = a.createdMs, exact_until = a.exactUntilMs, semantic_until = a.semanticUntilMs, cost = a.costMicroUsd,
    prompt_tokens = a.promptTokens, completion_tokens = a.completionTokens, first_turn = a.firstTurn and 1 or 0,
    model = a.model, conversation = a.conversation, history = a.historyKey, user = a.user, answer_hash = answer_hash,
    vector_hash = a.vectorHash == a.representative and rp.SAME or rp.short(a.vectorHash), fingerprint = a.fingerprint, tags = tags,
  })
end

function rp.offered_until(a)
  return math.max(a.exactUntilMs, a.semanticUntilMs)
end

-- The answer ends with its own life, whatever uses it. Lifetimes are relative to the caller's clock,
-- so that a server whose clock differs ends them at the caller's time; every call checks them by its own time besides.
local function write(base, id, a, about, exact_keys)
  local life_ms = rp.offered_until(a) - a.createdMs
  redis.call('SET', base .. ':e:' .. id, about .. a.dossier .. a.answer, 'PX', string.format('%.0f', life_ms))
  rp.exact_lead(base, exact_keys, id, a.exactUntilMs > a.createdMs)
end

-- The content of an entry that the engine has given a place.
function rp.store_entry(base, a, seq, answer_hash)
  if a.stratum ~= '' then rp.vectors_add(base, a.stratum, a.id, seq, a.vector) end
  write(base, a.id, a, about_of(a, seq, answer_hash, a.tags), { a.exactKey })
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
  local old = rp.about(base, entry.id)
  local old_keys = rp.record_keys(entry.r)
  local keys = union(old_keys, { a.exactKey }, MOST_EXACT_KEYS)
  rp.exact_release(base, entry.id, old_keys)
  rp.record_rename(entry.r, entry.r.stratum, keys)
  write(base, entry.id, a, about_of(a, old.seq, answer_hash, union(rp.list(old.tags), a.tags, MOST_TAGS)), keys)
  entry.r.valid_until = rp.offered_until(a)
  entry.changed = true
end
