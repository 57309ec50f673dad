--- @fragment vectors
--- @summary The vector index on vector sets, one set a stratum; with `compact` the only place that names V* commands.

-- Members are never removed one by one: in Redis up to 8.4 at least, VREM (and VADD of a member that exists) can crash
-- the server, its replicas, and the loading of its append-only file (redis/redis#15424; docs/design-decisions.md). A
-- member whose entry is gone is dead: look-ups skip it, and sets with many dead members are built anew.

-- Exhaustive search up to this many members, the graph above it.
local TRUTH_LIMIT = 1000
local EF = 100

-- An entry's member has a name of its own for every admission, so that no name is ever added twice.
function rp.member(id, seq)
  return string.format('%s\31%x', id, seq)
end

function rp.member_parts(member)
  local id, seq = string.match(member, '^(.*)\31(%x+)$')
  return id, tonumber(seq, 16)
end

function rp.vectors_add(base, stratum, id, seq, blob)
  local member, shadow = rp.member(id, seq), base .. ':w:' .. stratum
  redis.call('VADD', base .. ':v:' .. stratum, 'FP32', blob, member, 'Q8')
  -- The set is being built anew: the new one must have the member too, also if nothing has been copied to it yet.
  if redis.call('SISMEMBER', base .. ':vc', stratum) == 1 then redis.call('VADD', shadow, 'FP32', blob, member, 'Q8') end
  redis.call('HINCRBY', base .. ':strata', stratum, 1)
end

-- Members, dead ones included.
function rp.vectors_size(base, stratum)
  return redis.call('VCARD', base .. ':v:' .. stratum)
end

-- Bytes of a vector of a stratum that has members.
function rp.vectors_bytes(base, stratum)
  return 4 * redis.call('VDIM', base .. ':v:' .. stratum)
end

-- How many members to ask for so that about `count` of them are live.
function rp.vectors_ask(base, stratum, count, size)
  local live = tonumber(redis.call('HGET', base .. ':strata', stratum) or size)
  if live >= size then return count end
  return math.min(1024, math.ceil(1.5 * count * size / math.max(1, live)) + 4)
end

-- The nearest `count` members as a flat list: member, score, member, score …; cosine = 2 · score − 1.
function rp.vectors_nearest(base, stratum, blob, count, size)
  local key = base .. ':v:' .. stratum
  if size <= TRUTH_LIMIT then
    return redis.call('VSIM', key, 'FP32', blob, 'WITHSCORES', 'COUNT', count, 'TRUTH', 'NOTHREAD')
  end
  return redis.call('VSIM', key, 'FP32', blob, 'WITHSCORES', 'COUNT', count, 'EF', math.max(EF, count), 'NOTHREAD')
end

-- Up to `count` different members, at random; all when there are no more.
function rp.vectors_sample(base, stratum, count)
  return redis.call('VRANDMEMBER', base .. ':v:' .. stratum, count) or {}
end

function rp.vectors_has(base, stratum, id, seq)
  return redis.call('VISMEMBER', base .. ':v:' .. stratum, rp.member(id, seq)) == 1
end

-- The same around a member; empty when it is none.
function rp.vectors_around(base, stratum, id, seq, count)
  local key, member = base .. ':v:' .. stratum, rp.member(id, seq)
  if redis.call('VISMEMBER', key, member) ~= 1 then return {} end
  local size = redis.call('VCARD', key)
  if size <= TRUTH_LIMIT then
    return redis.call('VSIM', key, 'ELE', member, 'WITHSCORES', 'COUNT', count, 'TRUTH', 'NOTHREAD')
  end
  return redis.call('VSIM', key, 'ELE', member, 'WITHSCORES', 'COUNT', count, 'EF', math.max(EF, count), 'NOTHREAD')
end
