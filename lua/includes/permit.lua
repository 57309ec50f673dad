--- @fragment permit
--- @summary Whether what was learned, as it is now, still allows a decision that was made by it.
--- @include base

-- The status that refuses; nil = allowed. Whoever decided by the version in force has seen all that is in it.
function rp.not_permitted(base, head, rule, snapshot)
  if rule == '' or head.snapshot == snapshot then return nil end
  local f = redis.call('HMGET', base .. ':cal', 'open', 'threshold', 'fields')
  if f[1] == '1' then return rp.S.breaker_open end
  if rule == 'budget' then return (not f[2] or f[2] == '') and rp.S.snapshot_changed or nil end
  -- After a purge nothing is known: the cold-start rule starts anew.
  local fields = f[3] and cjson.decode(f[3])
  return fields and fields.coldStartClosed and rp.S.snapshot_changed or nil
end
