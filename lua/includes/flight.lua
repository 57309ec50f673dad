--- @fragment flight
--- @summary A single-flight: hash `f:<key>` (owner, until, state, `w:<follower>`), stream `fs:<key>` of chunks, channel `fc:<key>`.

-- An open flight outlives its lease by this much, so that followers see how it ended.
local LINGER_MS = 10000

function rp.flight_read(base, key)
  local f = redis.call('HMGET', base .. ':f:' .. key, 'owner', 'until', 'state', 'entry', 'answer', 'reason')
  if not f[1] then return nil end
  return { owner = f[1], until_ms = tonumber(f[2]), state = f[3], entry = f[4], answer = f[5], reason = f[6] }
end

function rp.flight_open(base, key, owner, lease_ms, now)
  redis.call('DEL', base .. ':f:' .. key, base .. ':fs:' .. key)
  redis.call('HSET', base .. ':f:' .. key, 'owner', owner, 'state', 'open')
  rp.flight_renew(base, key, lease_ms, now)
end

function rp.flight_renew(base, key, lease_ms, now)
  redis.call('HSET', base .. ':f:' .. key, 'until', string.format('%.0f', now + lease_ms))
  redis.call('PEXPIRE', base .. ':f:' .. key, lease_ms + LINGER_MS)
  redis.call('PEXPIRE', base .. ':fs:' .. key, lease_ms + LINGER_MS)
end

-- Keeps the ended flight for a while and wakes the followers.
function rp.flight_end(base, key, keep_ms)
  redis.call('PEXPIRE', base .. ':f:' .. key, keep_ms)
  redis.call('PEXPIRE', base .. ':fs:' .. key, keep_ms)
  rp.flight_wake(base, key)
end

function rp.flight_wake(base, key)
  redis.call('SPUBLISH', base .. ':fc:' .. key, '1')
end
