--- @command decision_read
--- @summary The record of one decision.
--- @key base
--- @arg requestId id The request.
--- @status ok absent
--- @reply record? text The record, JSON.
--- @returns The record while it is kept.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
local function decision_read(keys, args)
  local record = redis.call('HGET', keys[1] .. ':d:' .. rp.read(ARGS, args).requestId, 'record')
  if not record then return { rp.S.absent } end
  return { rp.S.ok, record }
end
