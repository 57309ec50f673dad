--- @fragment record
--- @summary One packed record an entry in the hash `post`: 13 doubles of the policies, its end of life, its representative and its stratum.

-- The order is that of `recordFields` in libs/policy; `valid_until` follows.
local FORMAT = '<dddddddddddddd'
local SIZE = 112

-- Every entry has exactly one record here for all of its life, also after its hash has expired: the hash `post` is the
-- register by which walks and sweeps find the rest of it.
function rp.record_pack(r)
  return struct.pack(
    FORMAT, r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.importance, r.sightings,
    r.source, r.clock, r.size, r.novelty, r.valid_until
  ) .. string.char(#r.representative) .. r.representative .. r.stratum
end

function rp.record_unpack(packed)
  local r = {}
  r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.importance, r.sightings, r.source,
    r.clock, r.size, r.novelty, r.valid_until = struct.unpack(FORMAT, packed)
  local length = string.byte(packed, SIZE + 1)
  r.representative = string.sub(packed, SIZE + 2, SIZE + 1 + length)
  r.stratum = string.sub(packed, SIZE + 2 + length)
  return r
end

function rp.record_get(base, id)
  local packed = redis.call('HGET', base .. ':post', id)
  return packed and rp.record_unpack(packed)
end

function rp.record_set(base, id, r)
  redis.call('HSET', base .. ':post', id, rp.record_pack(r))
end

-- A number as text from which the same double is read again.
function rp.exact_number(value)
  return string.format('%.17g', value)
end
