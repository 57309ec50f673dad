--- @fragment record
--- @summary The policies' record of an entry, one packed value in the hash `post`; decoded in libs/policy by `unpackRecord`.
--- @include short

-- Posterior (doubles), aging tick, insertion number and step, last step, uses, sightings, source, end of the answer's life,
-- then which of the unusual numbers follow. Behind those: representative, stratum, exact keys, each after its length.
local FIXED = '<ddI5I5I5I5I5HI4I7B'
local UNUSUAL = 56

-- Importance, clock, size and novelty are what they are for most entries: 0, 0, 1, 1. Only others are stored.
local function unusual(packed)
  local flags, at = string.byte(packed, UNUSUAL - 1), UNUSUAL
  local importance, clock, size, novelty = 0, 0, 1, 1
  if flags == 0 then return importance, clock, size, novelty, at end
  if flags % 2 >= 1 then importance, at = struct.unpack('<d', packed, at) end
  if flags % 4 >= 2 then clock, at = struct.unpack('<d', packed, at) end
  if flags % 8 >= 4 then size, at = struct.unpack('<d', packed, at) end
  if flags >= 8 then novelty, at = struct.unpack('<f', packed, at) end
  return importance, clock, size, novelty, at
end
rp.record_unusual = unusual

local function pack_unusual(r)
  local flags, parts = 0, ''
  if r.importance ~= 0 then flags, parts = 1, struct.pack('<d', r.importance) end
  if r.clock ~= 0 then flags, parts = flags + 2, parts .. struct.pack('<d', r.clock) end
  if r.size ~= 1 then flags, parts = flags + 4, parts .. struct.pack('<d', r.size) end
  if r.novelty ~= 1 then flags, parts = flags + 8, parts .. struct.pack('<f', r.novelty) end
  return flags, parts
end

-- How an entry is called: does not change with its uses, so it is packed when it is new and kept as it is otherwise.
local function pack_names(r)
  local representative, stratum = rp.short(r.representative), rp.short(r.stratum)
  local names = struct.pack('Bc0Bc0', #representative, representative, #stratum, stratum)
  for i = 1, #r.exact_keys do
    local key = rp.short(r.exact_keys[i])
    names = names .. struct.pack('Bc0', #key, key)
  end
  return names
end

-- Every entry has exactly one record here from its admission until it is removed everywhere, also after its answer has
-- expired: the hash is the register by which walks and sweeps find the rest of it. It is small, because an eviction reads
-- 64 of them.
function rp.record_pack(r)
  r.names = r.names or pack_names(r)
  local flags, parts = pack_unusual(r)
  return struct.pack(
    FIXED, r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, math.min(r.sightings, 65535), r.source,
    r.valid_until, flags) .. parts .. r.names
end

-- A namespace has few strata: the known ones are kept.
local strata, known = {}, 0
local function stratum_of(packed)
  local text = strata[packed]
  if text then return text end
  if known >= 512 then strata, known = {}, 0 end
  text = rp.long(packed)
  strata[packed], known = text, known + 1
  return text
end

function rp.record_unpack(packed)
  local r = {}
  r.alpha, r.beta, r.tick, r.inserted_seq, r.inserted_step, r.last_step, r.uses, r.sightings, r.source, r.valid_until =
    struct.unpack(FIXED, packed)
  local importance, clock, size, novelty, at = unusual(packed)
  r.importance, r.clock, r.size, r.novelty = importance, clock, size, novelty
  r.names = string.sub(packed, at)
  local representative, stratum = struct.unpack('Bc0Bc0', r.names)
  r.representative, r.stratum = rp.long(representative), stratum_of(stratum)
  return r
end

-- The exact keys that lead to the entry.
function rp.record_keys(r)
  if r.exact_keys then return r.exact_keys end
  local keys = {}
  local _, _, at = struct.unpack('Bc0Bc0', r.names)
  while at <= #r.names do
    local key
    key, at = struct.unpack('Bc0', r.names, at)
    keys[#keys + 1] = rp.long(key)
  end
  r.exact_keys = keys
  return keys
end

-- Another stratum, or other exact keys.
function rp.record_rename(r, stratum, exact_keys)
  r.exact_keys = exact_keys or rp.record_keys(r)
  r.stratum, r.names = stratum, nil
end

function rp.record_get(base, id)
  local packed = redis.call('HGET', base .. ':post', id)
  return packed and rp.record_unpack(packed)
end

function rp.record_set(base, id, r)
  redis.call('HSET', base .. ':post', id, rp.record_pack(r))
end

function rp.inserted_seq(packed)
  return (struct.unpack('<I5', packed, 22))
end

-- A number as text from which the same double is read again.
function rp.exact_number(value)
  return string.format('%.17g', value)
end
