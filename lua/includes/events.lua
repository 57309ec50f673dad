--- @fragment events
--- @summary The event stream `ev`: what ghost policies learn of each counted outcome, in the call that counts it.
--- @include base
--- @include record

-- About how many events are kept; older ones leave, read or not.
local MOST = 20000
local MEMBERS, USUAL = { 'importance', 'source', 'size' }, { 0, 0, 1 }

-- `representatives`: of the entries that the outcome is about, divided by \31. Nothing here names an entry or a person.
-- Kinds: hit (served), miss (generated and offered), offer (offered, its loss was told before), use (recalled and
-- helped), write (asked for by name).
function rp.event(x, kind, representatives, loss, claim)
  if x.config.ghosts == 'off' then return end
  local event = { 'XADD', x.base .. ':ev', 'MAXLEN', '~', MOST, '*', kind, representatives }
  -- Most outcomes have nothing but a kind and a representative.
  local n = 8
  if loss ~= ((kind == 'miss' or kind == 'write') and 1 or 0) then event[9], event[10], n = 'loss', loss, 10 end
  for i = 1, 3 do
    local value = claim[MEMBERS[i]]
    if value ~= nil and value ~= USUAL[i] then event[n + 1], event[n + 2], n = MEMBERS[i], value, n + 2 end
  end
  redis.call(unpack(event))
end

-- A stored event as a row of kind, representatives, loss, importance, source, size.
function rp.event_row(fields)
  local kind, given = fields[1], {}
  for i = 3, #fields, 2 do given[fields[i]] = fields[i + 1] end
  local usual = (kind == 'miss' or kind == 'write') and '1' or '0'
  return {
    kind, fields[2], given.loss or usual, given.importance or '0', given.source or '0', given.size or '1',
  }
end

-- An entry left for a reason outside every policy. Says nothing where no stream is kept.
function rp.event_gone(base, id)
  local r = rp.record_get(base, id)
  if not r then return end
  redis.call('XADD', base .. ':ev', 'NOMKSTREAM', 'MAXLEN', '~', MOST, '*', 'gone', r.representative)
end
