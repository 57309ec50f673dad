--- @command decision_read
--- @summary The record of one decision.
--- @key base
--- @arg requestId id The request.
--- @status ok absent
--- @reply record? text The record, JSON.
--- @reply served? text Id of the entry that was served.
--- @returns The record while it is kept.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
local function decision_read(keys, args)
  local fields = redis.call('HMGET', keys[1] .. ':d:' .. rp.read(ARGS, args).requestId, 'record', 'served')
  if not fields[1] and not fields[2] then return { rp.S.absent } end
  return { rp.S.ok, fields[1], fields[2] }
end
