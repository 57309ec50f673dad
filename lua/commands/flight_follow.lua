--- @command flight_follow
--- @summary The next chunks of a flight and how it stands.
--- @key base
--- @arg key id What the flight is for.
--- @arg leader name The leader seen before; empty at first.
--- @arg after text Id of the last chunk seen; '0' at first.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @status open done abandoned
--- @reply leader text Who leads.
--- @reply chunks rows(id:text data:text) At most 256.
--- @reply answer text The captured answer, when done.
--- @reply entryId text The entry that was stored for it, when done.
--- @reply reason text Why it was abandoned.
--- @returns `open` also when more chunks wait.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include flight
local function flight_follow(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local flight = rp.flight_read(base, a.key)
  if not flight then return { rp.S.abandoned, a.leader, {}, '', '', 'gone' } end
  if a.leader ~= '' and flight.owner ~= a.leader then
    return { rp.S.abandoned, flight.owner, {}, '', '', 'handed-over' }
  end
  local chunks = {}
  local found = redis.call('XRANGE', base .. ':fs:' .. a.key, '(' .. a.after, '+', 'COUNT', 256)
  for i = 1, #found do chunks[i] = { found[i][1], found[i][2][2] } end
  if #chunks == 256 then return { rp.S.open, flight.owner, chunks, '', '', '' } end
  if flight.state == 'done' then return { rp.S.done, flight.owner, chunks, flight.answer, flight.entry, '' } end
  if flight.state == 'abandoned' then return { rp.S.abandoned, flight.owner, chunks, '', '', flight.reason } end
  if flight.until_ms <= a.nowMs then return { rp.S.abandoned, flight.owner, chunks, '', '', 'lease' } end
  return { rp.S.open, flight.owner, chunks, '', '', '' }
end
