--- @fragment vectors
--- @summary The vector index on vector sets, one set a stratum; the only place that names V* commands.

-- Exhaustive search up to this many members, the graph above it.
local TRUTH_LIMIT = 1000
local EF = 100

function rp.vectors_add(base, stratum, id, blob)
  local key = base .. ':v:' .. stratum
  redis.call('VADD', key, 'FP32', blob, id, 'Q8')
  redis.call('HINCRBY', base .. ':strata', stratum, 1)
end

-- True when the id was a member. An empty set is removed by Redis itself; its register goes with it.
function rp.vectors_remove(base, stratum, id)
  if redis.call('VREM', base .. ':v:' .. stratum, id) == 0 then return false end
  if redis.call('HINCRBY', base .. ':strata', stratum, -1) <= 0 then
    redis.call('HDEL', base .. ':strata', stratum)
  end
  return true
end

function rp.vectors_size(base, stratum)
  return redis.call('VCARD', base .. ':v:' .. stratum)
end

-- Bytes of a vector of the stratum; nil when the stratum is empty.
function rp.vectors_bytes(base, stratum)
  local key = base .. ':v:' .. stratum
  return redis.call('EXISTS', key) == 1 and 4 * redis.call('VDIM', key) or nil
end

-- The nearest `count` members as a flat list: id, score, id, score …; cosine = 2 · score − 1.
function rp.vectors_nearest(base, stratum, blob, count, size)
  local key = base .. ':v:' .. stratum
  if size <= TRUTH_LIMIT then
    return redis.call('VSIM', key, 'FP32', blob, 'WITHSCORES', 'COUNT', count, 'TRUTH', 'NOTHREAD')
  end
  return redis.call('VSIM', key, 'FP32', blob, 'WITHSCORES', 'COUNT', count, 'EF', math.max(EF, count), 'NOTHREAD')
end

-- Up to `count` different members, at random.
function rp.vectors_sample(base, stratum, count)
  return redis.call('VRANDMEMBER', base .. ':v:' .. stratum, count) or {}
end

function rp.vectors_has(base, stratum, id)
  return redis.call('VEMB', base .. ':v:' .. stratum, id) ~= false
end
