--- @fragment exact_keys
--- @summary The hash `x`: which entry answers an exact key.
--- @include short

function rp.exact_owner(base, key)
  return redis.call('HGET', base .. ':x', rp.short(key))
end

function rp.exact_forget(base, key)
  redis.call('HDEL', base .. ':x', rp.short(key))
end

-- Keys lead to the entry from now on; without a life in the exact tier nothing leads there.
function rp.exact_lead(base, keys, id, live)
  for i = 1, #keys do
    if live then redis.call('HSET', base .. ':x', rp.short(keys[i]), id) else rp.exact_forget(base, keys[i]) end
  end
end

-- Exact keys lead to the entry only while no newer entry took them over.
function rp.exact_release(base, id, keys)
  for i = 1, #keys do
    if rp.exact_owner(base, keys[i]) == id then rp.exact_forget(base, keys[i]) end
  end
end
