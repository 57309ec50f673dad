--- @fragment stats
--- @summary Counters and sizes of a namespace as a flat list of name and value.
--- @include base
--- @include tiers

function rp.stats(base)
  local head = rp.head(base)
  local list = redis.call('HGETALL', base .. ':st')
  local function add(name, value)
    list[#list + 1] = name
    list[#list + 1] = tostring(value)
  end
  add('entries', rp.size(base))
  add('planned', redis.call('ZCARD', base .. ':t:m'))
  add('protected', redis.call('ZCARD', base .. ':t:p'))
  add('recency', redis.call('ZCARD', base .. ':t:r'))
  add('capacity', string.format('%.0f', head.capacity))
  add('strata', redis.call('HLEN', base .. ':strata'))
  add('refused', redis.call('HLEN', base .. ':q'))
  add('paused', head.paused and 1 or 0)
  add('policy_version', head.version)
  add('step', redis.call('HGET', base .. ':gate', 'step') or 0)
  return list
end
