--- @fragment remove
--- @summary Removes an entry from every key of the namespace; nothing of it is left.
--- @include about
--- @include compact
--- @include exact_keys

-- An entry that answers equal requests only leaves the index; its vector would stand in the way of others.
function rp.leave_stratum(base, id, r)
  local stratum = r.stratum
  rp.record_rename(r, '')
  rp.record_set(base, id, r)
  rp.vectors_remove(base, stratum)
end

-- `known` = what the caller knows of it: `r` its record, `tier` its tier. True when there was something to remove.
function rp.remove(base, id, known)
  local r = known and known.r or rp.record_get(base, id)
  if r then rp.exact_release(base, id, rp.record_keys(r)) end
  for _, tier in ipairs(known and known.tier and { known.tier } or { 'r', 'p', 'm' }) do
    redis.call('ZREM', base .. ':t:' .. tier, id)
  end
  redis.call('HDEL', base .. ':post', id)
  if r and r.stratum ~= '' then rp.vectors_remove(base, r.stratum) end
  return redis.call('DEL', base .. ':e:' .. id) == 1 or r and true or false
end
