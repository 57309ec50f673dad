--- @fragment remove
--- @summary Removes an entry from every key of the namespace; nothing of it is left.
--- @include record
--- @include vectors

-- Exact keys lead to the entry only while no newer entry took them over.
function rp.release_exact_keys(base, id, keys)
  for i = 1, #keys do
    local key = base .. ':x:' .. keys[i]
    if redis.call('GET', key) == id then redis.call('DEL', key) end
  end
end

-- An entry that answers equal requests only leaves the index; its vector would stand in the way of others.
function rp.leave_stratum(base, id, r)
  rp.vectors_remove(base, r.stratum, id)
  local about = string.sub(r.tail, r.about_at)
  r.about, r.stratum = about, ''
  rp.record_tail(r)
  rp.record_set(base, id, r)
end

-- `known` = what the caller knows of it: `r` its record, `tier` its tier. True when there was something to remove.
function rp.remove(base, id, known)
  local r = known and known.r or rp.record_get(base, id)
  if r then
    rp.release_exact_keys(base, id, rp.list(rp.about(r).exact_keys))
    if r.stratum ~= '' then rp.vectors_remove(base, r.stratum, id) end
  end
  for _, tier in ipairs(known and known.tier and { known.tier } or { 'r', 'p', 'm' }) do
    redis.call('ZREM', base .. ':t:' .. tier, id)
  end
  redis.call('HDEL', base .. ':post', id)
  return redis.call('DEL', base .. ':e:' .. id) == 1 or r ~= nil
end
