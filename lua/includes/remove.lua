--- @fragment remove
--- @summary Removes an entry from every key of the namespace; nothing of it is left.
--- @include entry
--- @include record
--- @include vectors

local M = rp.M

-- Exact keys lead to the entry only while no newer entry took them over.
function rp.release_exact_keys(base, id, keys)
  for i = 1, #keys do
    local key = base .. ':x:' .. keys[i]
    if redis.call('GET', key) == id then redis.call('DEL', key) end
  end
end

-- An entry that answers equal requests only leaves the index; its vector would stand in the way of others.
function rp.leave_stratum(base, id, meta, p)
  rp.vectors_remove(base, p.stratum, id)
  meta[M.stratum], p.stratum = '', ''
  redis.call('HSET', base .. ':e:' .. id, 'm', cmsgpack.pack(meta))
  rp.record_set(base, id, p)
end

-- `meta` may be absent: the hash may have expired before its members. `known` = what the caller knows of it: `r` its
-- record, `tier` its tier.
function rp.remove(base, id, meta, known)
  if meta then rp.release_exact_keys(base, id, meta[M.exact_keys]) end
  local r = known and known.r or rp.record_get(base, id)
  local stratum = meta and meta[M.stratum] or r and r.stratum or ''
  if stratum ~= '' then rp.vectors_remove(base, stratum, id) end
  if known then
    redis.call('ZREM', base .. ':t:' .. known.tier, id)
  else
    for _, tier in ipairs({ 'r', 'p', 'm' }) do redis.call('ZREM', base .. ':t:' .. tier, id) end
  end
  redis.call('HDEL', base .. ':post', id)
  return redis.call('DEL', base .. ':e:' .. id) == 1 or r ~= nil
end
