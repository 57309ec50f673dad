--- @fragment decision
--- @summary What one request was answered with, kept for feedback and explain.
--- @include args

local KEEP_MS = 3600000

-- The entry that a request's own answer became: a purge of the entry takes the record along, which holds words of it.
function rp.note_made(base, request, id)
  local key = base .. ':d:' .. request
  if redis.call('EXISTS', key) == 1 then redis.call('HSET', key, 'made', id) end
end

-- Written in the call that serves, so that feedback by request id never comes too early to find it. `told`: what the
-- decision was made from, with its conversation and user; absent when nothing is to be told.
function rp.note_served(base, request, id, told)
  local key = base .. ':d:' .. request
  if told then
    redis.call(
      'HSET', key, 'served', id, 'entry', id, 'record', told.record, 'conversation', told.conversation, 'user', told.user
    )
  else
    redis.call('HSET', key, 'served', id, 'entry', id)
  end
  redis.call('PEXPIRE', key, KEEP_MS)
end
