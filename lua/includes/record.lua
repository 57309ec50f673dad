--- @fragment record
--- @summary The policies' record of an entry, one packed value in the hash `post`.

-- 13 doubles in the order of `recordFields` in libs/policy, the end of the answer's life, representative and stratum.
local FORMAT = '<ddddddddddddddBc0Bc0'

-- Every entry has exactly one record here from its admission until it is removed everywhere, also after its answer has
-- expired: the hash is the register by which walks and sweeps find the rest of it. It is small, because an eviction reads
-- 64 of them.
function rp.record_pack(r)
  return struct.pack(
    FORMAT, r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.importance, r.sightings,
    r.source, r.clock, r.size, r.novelty, r.valid_until, #r.representative, r.representative, #r.stratum, r.stratum
  )
end

function rp.record_unpack(packed)
  local r = {}
  r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.importance, r.sightings, r.source,
    r.clock, r.size, r.novelty, r.valid_until, r.representative, r.stratum = struct.unpack(FORMAT, packed)
  return r
end

function rp.record_get(base, id)
  local packed = redis.call('HGET', base .. ':post', id)
  return packed and rp.record_unpack(packed)
end

function rp.record_set(base, id, r)
  redis.call('HSET', base .. ':post', id, rp.record_pack(r))
end

function rp.inserted_seq(packed)
  return (struct.unpack('<d', packed, 25))
end

-- A number as text from which the same double is read again.
function rp.exact_number(value)
  return string.format('%.17g', value)
end
