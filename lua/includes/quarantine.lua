--- @fragment quarantine
--- @summary The register of what was taken out of service: hash `q` with a field an id and a field an answer.
--- @include base
--- @include events
--- @include remove

-- How long an id and an answer stay refused: 30 days.
local KEEP_MS = 2592000000

local function by_answer(exact_key, answer_hash)
  return 'answer:' .. redis.sha1hex(exact_key .. '\31' .. answer_hash)
end

function rp.quarantined(base, id, exact_key, answer_hash)
  local found = redis.call('HMGET', base .. ':q', 'id:' .. id, by_answer(exact_key, answer_hash))
  return found[1] ~= false or found[2] ~= false
end

local function refuse(base, field, note)
  redis.call('HSET', base .. ':q', field, note)
  redis.call('HPEXPIRE', base .. ':q', KEEP_MS, 'FIELDS', 1, field)
end

-- A flight that ended with the entry's answer would go on handing it out.
local function end_flights(base, id, exact_keys)
  local purges = redis.call('HGET', base, 'purges')
  for i = 1, #exact_keys do
    local key = purges and exact_keys[i] .. '~' .. purges or exact_keys[i]
    local flight = base .. ':f:' .. key
    if redis.call('HGET', flight, 'entry') == id then
      redis.call('DEL', flight, base .. ':fs:' .. key)
    end
  end
end

-- False when there is no such entry.
function rp.quarantine(base, id, reason, now)
  local d = rp.about(base, id)
  if not d then return redis.call('HEXISTS', base .. ':q', 'id:' .. id) == 1 end
  local r = rp.record_get(base, id)
  local exact_keys = r and rp.record_keys(r) or {}
  local note = cjson.encode({ atMs = now, reason = reason, model = d.model })
  refuse(base, 'id:' .. id, note)
  for _, exact_key in ipairs(exact_keys) do refuse(base, by_answer(exact_key, d.answer_hash), note) end
  end_flights(base, id, exact_keys)
  rp.event_gone(base, id)
  rp.remove(base, id, r and { r = r })
  rp.count(base, 'quarantined')
  return true
end
