--- @fragment conversation
--- @summary Conversations: hash `c:<id>` (head, seen, labelled, snapshot), sorted set `ch:<head>` of those that wait.
--- @include risk

-- State outlives the idle time by as much again: the job that closes an idle conversation still finds it.
function rp.conversation_touch(base, id, head, now, idle_ms)
  local key = base .. ':c:' .. id
  redis.call('HSET', key, 'head', head, 'seen', string.format('%.0f', now))
  redis.call('PEXPIRE', key, string.format('%.0f', 2 * idle_ms))
end

-- The version of what was learned by which the conversation is decided to its end: that of its first turn. 0: nothing
-- was learned then.
function rp.conversation_pin(base, id, version)
  local key = base .. ':c:' .. id
  redis.call('HSETNX', key, 'snapshot', version)
  return tonumber(redis.call('HGET', key, 'snapshot'))
end

-- True when it was open.
function rp.conversation_close(base, id)
  local key = base .. ':c:' .. id
  local f = redis.call('HMGET', key, 'head', 'labelled')
  local head = f[1]
  if not head then return false end
  if f[2] then rp.risk_end(base, id) end
  if head ~= '' then redis.call('ZREM', base .. ':ch:' .. head, id) end
  redis.call('DEL', key)
  return true
end
