--- @command flight_leave
--- @summary A request leaves its flight; a leader that nobody follows ends it.
--- @key base
--- @arg key id What the flight is for.
--- @arg owner id The request that leaves.
--- @status follower ok absent
--- @returns `follower`: others follow and the leader's capture must go on; `absent`: not a member of the flight.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include flight
local function flight_leave(keys, args)
  rp.whole_slot(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  local flight = rp.flight_read(base, a.key)
  if not flight or flight.owner ~= a.owner then
    return { redis.call('HDEL', base .. ':f:' .. a.key, 'w:' .. a.owner) == 1 and rp.S.ok or rp.S.absent }
  end
  if flight.state ~= 'open' then return { rp.S.ok } end
  -- owner, until and state are always there: every further field is a follower.
  if redis.call('HLEN', base .. ':f:' .. a.key) > 3 then return { rp.S.follower } end
  redis.call('DEL', base .. ':f:' .. a.key, base .. ':fs:' .. a.key)
  return { rp.S.ok }
end
