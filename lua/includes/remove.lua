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

-- `meta` may be absent: the hash may have expired before its members.
function rp.remove(base, id, meta)
  if meta then rp.release_exact_keys(base, id, meta[M.exact_keys]) end
  local p = rp.record_get(base, id)
  local stratum = meta and meta[M.stratum] or p and p.stratum or ''
  if stratum ~= '' then rp.vectors_remove(base, stratum, id) end
  redis.call('ZREM', base .. ':t:m', id)
  redis.call('ZREM', base .. ':t:p', id)
  redis.call('ZREM', base .. ':t:r', id)
  redis.call('HDEL', base .. ':post', id)
  return redis.call('DEL', base .. ':e:' .. id) == 1 or p ~= nil
end
