--- @fragment about
--- @summary What an entry is about: the head of the string `e:<id>`, before the dossier and the answer.

-- Lengths of the head and of the dossier that follows it, number of the entry's insertion (which names its member of the index), then times and costs as doubles, first turn, texts with their lengths. The last two are lists
-- (MessagePack).
local FORMAT = '<HIdddddddBHc0Hc0Hc0Hc0Hc0Hc0Hc0Hc0Hc0'

-- Most heads are shorter; a longer one is read in two steps.
local USUAL = 767

local function pack(length, d)
  local keys, tags = cmsgpack.pack(d.exact_keys), cmsgpack.pack(d.tags)
  return struct.pack(
    FORMAT, length, d.dossier_length, d.seq, d.created, d.exact_until, d.semantic_until, d.cost, d.prompt_tokens, d.completion_tokens,
    d.first_turn, #d.model, d.model, #d.conversation, d.conversation, #d.history, d.history, #d.user, d.user,
    #d.answer_hash, d.answer_hash, #d.vector_hash, d.vector_hash, #d.fingerprint, d.fingerprint, #keys, keys, #tags, tags)
end

function rp.about_pack(d)
  local head = pack(0, d)
  if #head > 65535 then rp.fail('RP_ERR_ARGUMENT', 'fingerprint, tags and names are longer than 64 KB together') end
  return struct.pack('<H', #head) .. string.sub(head, 3)
end

-- Lists stay packed: `rp.list` reads them.
function rp.about_unpack(head)
  local d = {}
  d.length, d.dossier_length, d.seq, d.created, d.exact_until, d.semantic_until, d.cost, d.prompt_tokens, d.completion_tokens, d.first_turn,
    d.model, d.conversation, d.history, d.user, d.answer_hash, d.vector_hash, d.fingerprint, d.exact_keys, d.tags =
    struct.unpack(FORMAT, head)
  return d
end

-- What an entry is about, without its answer; nil when it has expired.
function rp.about(base, id)
  local key = base .. ':e:' .. id
  local head = redis.call('GETRANGE', key, 0, USUAL)
  if head == '' then return nil end
  local length = struct.unpack('<H', head)
  if length > #head then head = redis.call('GETRANGE', key, 0, length - 1) end
  return rp.about_unpack(head)
end

-- What it is about and its answer; nil when it has expired.
function rp.about_and_answer(base, id)
  local whole = redis.call('GET', base .. ':e:' .. id)
  if not whole then return nil end
  local d = rp.about_unpack(whole)
  return d, string.sub(whole, d.length + d.dossier_length + 1)
end

-- Dossier ('' = none) and answer of an entry; nil when it has expired.
function rp.dossier_and_answer(base, id)
  local whole = redis.call('GET', base .. ':e:' .. id)
  if not whole then return nil end
  local length, dossier_length = struct.unpack('<HI', whole)
  return string.sub(whole, length + 1, length + dossier_length), string.sub(whole, length + dossier_length + 1)
end

function rp.list(packed)
  return cmsgpack.unpack(packed)
end

-- Clocks of replicas differ a little: an entry from the future is new, not infinitely young.
function rp.age(d, now)
  return math.max(0, now - d.created)
end
