--- @command conversation_pinned
--- @summary What a conversation that its caller names is decided by.
--- @key base
--- @arg conversation id The conversation.
--- @status ok absent
--- @reply snapshot? int Version of what was learned when it began; 0: nothing.
--- @returns `absent` when it is not known: it begins.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
local function conversation_pinned(keys, args)
  rp.whole_slot(keys[1])
  local a = rp.read(ARGS, args)
  local snapshot = redis.call('HGET', keys[1] .. ':c:' .. a.conversation, 'snapshot')
  if not snapshot then return { rp.S.absent } end
  return { rp.S.ok, tonumber(snapshot) }
end
