--- @command ghosts_read
--- @summary What a run of the ghost policies begins with: where the last one ended, and a page of events.
--- @key base
--- @arg after name Events behind this one; '' = behind the last run's, '-' = from the oldest on.
--- @arg count int 1..1000 Most events of the reply.
--- @status ok
--- @reply on bool Ghosts are on.
--- @reply fixed bool The stored policy names the eviction policy: it stays.
--- @reply eviction text The eviction policy in force.
--- @reply configured text The one that would be in force without a hand-over.
--- @reply capacity int Capacity in force.
--- @reply position text The last event that was counted, '' at first.
--- @reply state text What the last run kept.
--- @reply events rows(id:text kind:text representatives:text loss:num importance:num source:num size:num) Oldest first.
--- @returns Events may be counted only behind `position`.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include policy_switch
--- @include events
local function ghosts_read(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local _, configured, named = rp.parameters(base)
  local kept = redis.call('HMGET', base .. ':gh:state', 'position', 'state')
  local after = a.after == '' and (kept[1] or '-') or a.after
  local events = {}
  for _, event in ipairs(redis.call('XRANGE', base .. ':ev', after == '-' and '-' or '(' .. after, '+', 'COUNT', a.count)) do
    local row = rp.event_row(event[2])
    table.insert(row, 1, event[1])
    events[#events + 1] = row
  end
  return {
    rp.S.ok, head.config.ghosts ~= 'off' and 1 or 0, named and 1 or 0, head.config.eviction, configured,
    string.format('%.0f', head.capacity), kept[1] or '', kept[2] or '', events,
  }
end
