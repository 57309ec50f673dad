--- @command flight_abandon
--- @summary Ends the flight without an answer; its followers try to lead.
--- @key base
--- @arg key id What the flight is for.
--- @arg owner id The leader.
--- @arg reason text One word why.
--- @status ok lost
--- @returns Whether the caller still led.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include flight
local function flight_abandon(keys, args)
  rp.whole_slot(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  local flight = rp.flight_read(base, a.key)
  if not flight or flight.state ~= 'open' or flight.owner ~= a.owner then return { rp.S.lost } end
  redis.call('HSET', base .. ':f:' .. a.key, 'state', 'abandoned', 'reason', a.reason)
  rp.flight_end(base, a.key, 10000)
  return { rp.S.ok }
end
