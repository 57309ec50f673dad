--- @command flight_acquire
--- @summary Joins the flight of a key, or opens it when none is in the air or its leader's lease ran out.
--- @key base
--- @arg key id What the flight is for: the exact key.
--- @arg owner id The request.
--- @arg leaseMs int 1..3600000 How long the leader may be silent.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @status leader follower done
--- @returns The caller's role.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include flight
local function flight_acquire(keys, args)
  rp.whole_slot(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  local flight = rp.flight_read(base, a.key)
  if flight and flight.state == 'done' then return { rp.S.done } end
  if flight and flight.state == 'open' and flight.until_ms > a.nowMs and flight.owner ~= a.owner then
    redis.call('HSET', base .. ':f:' .. a.key, 'w:' .. a.owner, '1')
    return { rp.S.follower }
  end
  rp.flight_open(base, a.key, a.owner, a.leaseMs, a.nowMs)
  return { rp.S.leader }
end
