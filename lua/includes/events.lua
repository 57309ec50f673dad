--- @fragment events
--- @summary The event stream `ev`: what ghost policies learn of each counted outcome, in the call that counts it.
--- @include base
--- @include record

-- About how many events are kept; older ones leave, read or not.
local MOST = 20000

-- `representatives`: of the entries that the outcome is about, divided by \31. Nothing here names an entry or a person.
-- Kinds: hit (served), miss (generated and offered), offer (offered, its loss was told before), use (recalled and
-- helped), write (asked for by name).
function rp.event(x, kind, representatives, loss, claim)
  if x.config.ghosts == 'off' then return end
  redis.call('XADD', x.base .. ':ev', 'MAXLEN', '~', MOST, '*', 'k', kind, 'r', representatives, 'l', loss,
    'i', claim.importance or 0, 'w', claim.source or 0, 's', claim.size or 1)
end

-- An entry left for a reason outside every policy. Says nothing where no stream is kept.
function rp.event_gone(base, id)
  local r = rp.record_get(base, id)
  if not r then return end
  redis.call('XADD', base .. ':ev', 'NOMKSTREAM', 'MAXLEN', '~', MOST, '*', 'k', 'gone', 'r', r.representative,
    'l', 0, 'i', 0, 'w', 0, 's', 1)
end
