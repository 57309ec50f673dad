--- @fragment remove
--- @summary Removes an entry from every key of the namespace; nothing of it is left.
--- @include about
--- @include compact

-- Exact keys lead to the entry only while no newer entry took them over.
function rp.release_exact_keys(base, id, keys)
  for i = 1, #keys do
    local key = base .. ':x:' .. keys[i]
    if redis.call('GET', key) == id then redis.call('DEL', key) end
  end
end

-- An entry that answers equal requests only leaves the index; its vector would stand in the way of others.
function rp.leave_stratum(base, id, r)
  local stratum = r.stratum
  r.stratum = ''
  rp.record_set(base, id, r)
  rp.vectors_remove(base, stratum)
end

-- `known` = what the caller knows of it: `r` its record, `tier` its tier. True when there was something to remove.
function rp.remove(base, id, known)
  local d = rp.about(base, id)
  if d then rp.release_exact_keys(base, id, rp.list(d.exact_keys)) end
  local r = known and known.r or rp.record_get(base, id)
  for _, tier in ipairs(known and known.tier and { known.tier } or { 'r', 'p', 'm' }) do
    redis.call('ZREM', base .. ':t:' .. tier, id)
  end
  redis.call('HDEL', base .. ':post', id)
  if r and r.stratum ~= '' then rp.vectors_remove(base, r.stratum) end
  if d then redis.call('DEL', base .. ':e:' .. id) end
  return d ~= nil or r ~= nil
end
