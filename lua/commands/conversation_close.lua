--- @command conversation_close
--- @summary Ends a conversation.
--- @key base
--- @arg conversation id The conversation.
--- @status ok absent
--- @returns `absent` when it was not open.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include conversation
local function conversation_close(keys, args)
  rp.whole_slot(keys[1])
  local a = rp.read(ARGS, args)
  return { rp.conversation_close(keys[1], a.conversation) and rp.S.ok or rp.S.absent }
end
