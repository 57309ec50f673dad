--- @command flight_publish
--- @summary Appends the leader's chunks, renews its lease and wakes the followers.
--- @key base
--- @arg key id What the flight is for.
--- @arg owner id The leader.
--- @arg leaseMs int 1..3600000 How long the leader may be silent from now.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg chunks rest The next pieces of the answer, in order.
--- @status ok lost
--- @returns Whether the caller still leads.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include flight
local function flight_publish(keys, args)
  rp.whole_slot(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  local flight = rp.flight_read(base, a.key)
  if not flight or flight.state ~= 'open' or flight.owner ~= a.owner then return { rp.S.lost } end
  for i = 1, #a.chunks do redis.call('XADD', base .. ':fs:' .. a.key, '*', 'd', a.chunks[i]) end
  rp.flight_renew(base, a.key, a.leaseMs, a.nowMs)
  if #a.chunks > 0 then rp.flight_wake(base, a.key) end
  return { rp.S.ok }
end
