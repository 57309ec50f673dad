--- @fragment about
--- @summary What an entry is about: the head of the string `e:<id>`, before the dossier and the answer.
--- @include short

-- Lengths of the head and of the dossier that follows it, number of the entry's insertion (which names its member of the
-- index), times, cost, tokens, first turn, then texts after their lengths; the last is a list (MessagePack).
local FORMAT = '<HI3I5I7I7I7dI5I5BHc0Bc0Bc0Bc0Bc0Bc0Hc0Hc0'

-- Stands for a hash of the vector that is the representative, which the record has.
rp.SAME = '='

-- Most heads are shorter; a longer one is read in two steps.
local USUAL = 767

local function pack(length, d)
  local tags = cmsgpack.pack(d.tags)
  local conversation, history, user = rp.short(d.conversation), rp.short(d.history), rp.short(d.user)
  return struct.pack(
    FORMAT, length, d.dossier_length, d.seq, d.created, d.exact_until, d.semantic_until, d.cost, d.prompt_tokens, d.completion_tokens,
    d.first_turn, #d.model, d.model, #conversation, conversation, #history, history, #user, user, #d.answer_hash, d.answer_hash,
    #d.vector_hash, d.vector_hash, #d.fingerprint, d.fingerprint, #tags, tags)
end

function rp.about_pack(d)
  if #d.model + #d.fingerprint > 60000 or d.dossier_length > 16777215 then
    rp.fail('RP_ERR_ARGUMENT', 'model and fingerprint are longer than 60 KB, or the dossier than 16 MB')
  end
  local head = pack(0, d)
  if #head > 65535 then rp.fail('RP_ERR_ARGUMENT', 'fingerprint, tags and names are longer than 64 KB together') end
  return struct.pack('<H', #head) .. string.sub(head, 3)
end

-- The list of tags stays packed (`rp.list` reads it), and the hashes of answer and vector stay short: they are only compared.
function rp.about_unpack(head)
  local d = {}
  d.length, d.dossier_length, d.seq, d.created, d.exact_until, d.semantic_until, d.cost, d.prompt_tokens, d.completion_tokens, d.first_turn,
    d.model, d.conversation, d.history, d.user, d.answer_hash, d.vector_hash, d.fingerprint, d.tags = struct.unpack(FORMAT, head)
  d.conversation, d.history, d.user = rp.long(d.conversation), rp.long(d.history), rp.long(d.user)
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
  local length, dossier_length = struct.unpack('<HI3', whole)
  return string.sub(whole, length + 1, length + dossier_length), string.sub(whole, length + dossier_length + 1)
end

function rp.list(packed)
  return cmsgpack.unpack(packed)
end

-- Clocks of replicas differ a little: an entry from the future is new, not infinitely young.
function rp.age(d, now)
  return math.max(0, now - d.created)
end
