--- @fragment quarantine
--- @summary The register of what was taken out of service: hash `q` with a field an id and a field an answer.

-- How long an id and an answer stay refused.
local KEEP_MS = 2592000000

local function fields_of(id, exact_key, answer_hash)
  return 'id:' .. id, 'answer:' .. redis.sha1hex(exact_key .. '\31' .. answer_hash)
end

function rp.quarantined(base, id, exact_key, answer_hash)
  local by_id, by_answer = fields_of(id, exact_key, answer_hash)
  local found = redis.call('HMGET', base .. ':q', by_id, by_answer)
  return found[1] ~= false or found[2] ~= false
end

function rp.quarantine_note(base, id, exact_keys, answer_hash, note)
  local key = base .. ':q'
  for i = 1, #exact_keys do
    local by_id, by_answer = fields_of(id, exact_keys[i], answer_hash)
    redis.call('HSET', key, by_id, note, by_answer, note)
    redis.call('HPEXPIRE', key, KEEP_MS, 'FIELDS', 2, by_id, by_answer)
  end
end
