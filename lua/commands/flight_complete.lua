--- @command flight_complete
--- @summary Ends the flight with its answer, which late followers still find for a while.
--- @key base
--- @arg key id What the flight is for.
--- @arg owner id The leader.
--- @arg answer text The captured answer.
--- @arg entryId name The entry that was stored for it, or empty.
--- @arg keepMs int 1..3600000 How long the ended flight is kept.
--- @status ok lost
--- @returns Whether the caller still led.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include flight
local function flight_complete(keys, args)
  rp.whole_slot(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  local flight = rp.flight_read(base, a.key)
  if not flight or flight.state ~= 'open' or flight.owner ~= a.owner then return { rp.S.lost } end
  redis.call('HSET', base .. ':f:' .. a.key, 'state', 'done', 'answer', a.answer, 'entry', a.entryId)
  rp.flight_end(base, a.key, a.keepMs)
  return { rp.S.ok }
end
