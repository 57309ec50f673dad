--- @command decision_record
--- @summary Keeps what one decision was made from, for explain and for feedback by request id.
--- @key base
--- @arg requestId id The request.
--- @arg entryId name The entry that was served or considered, or empty.
--- @arg conversation name The conversation, or empty.
--- @arg user name Hash of the caller-given end user, or empty.
--- @arg record text The record, JSON.
--- @arg keepMs int 1..9e12 How long it is kept.
--- @status ok
--- @returns Nothing else.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
local function decision_record(keys, args)
  rp.whole_slot(keys[1])
  local a = rp.read(ARGS, args)
  local key = keys[1] .. ':d:' .. a.requestId
  redis.call('HSET', key, 'record', a.record, 'entry', a.entryId, 'conversation', a.conversation, 'user', a.user)
  redis.call('PEXPIRE', key, a.keepMs)
  return { rp.S.ok }
end
