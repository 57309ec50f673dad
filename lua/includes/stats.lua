--- @fragment stats
--- @summary Counters and sizes of a namespace as a flat list of name and value.
--- @include base
--- @include session

function rp.stats(base)
  local head = rp.head(base)
  local x = rp.session(base, head)
  local list = redis.call('HGETALL', base .. ':st')
  local function add(name, value)
    list[#list + 1] = name
    list[#list + 1] = tostring(value)
  end
  add('entries', rp.session_size(x))
  add('planned', x.sizes.m)
  add('protected', x.sizes.p)
  add('recency', x.sizes.r)
  add('capacity', string.format('%.0f', head.capacity))
  add('strata', redis.call('HLEN', base .. ':strata'))
  add('refused', redis.call('HLEN', base .. ':q'))
  add('paused', head.paused and 1 or 0)
  add('policy_version', head.version)
  for _, name in ipairs({ 'step', 'ticks', 'offers', 'c', 'tau', 'clock', 'planned_version' }) do
    add(name, rp.exact_number(x.s[name]))
  end
  local ghosts = redis.call('HGETALL', base .. ':gh:state')
  for i = 1, #ghosts, 2 do
    local name = ghosts[i]
    if name == 'steps' or name == 'switches' or string.find(name, '^loss_') then add('ghost_' .. name, ghosts[i + 1]) end
  end
  return list
end
