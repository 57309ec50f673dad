--- @fragment decision
--- @summary What one request was answered with, kept for feedback and explain.
--- @include args

local KEEP_MS = 3600000

-- Written in the call that serves, so that feedback by request id never comes too early to find it.
function rp.note_served(base, request, id)
  local key = base .. ':d:' .. request
  redis.call('HSET', key, 'served', id, 'entry', id)
  redis.call('PEXPIRE', key, KEEP_MS)
end
