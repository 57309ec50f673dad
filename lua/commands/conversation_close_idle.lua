--- @command conversation_close_idle
--- @summary Ends a conversation that has been idle for long enough.
--- @key base
--- @arg conversation id The conversation.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg idleMs int 1..9e12 How long it must have been idle.
--- @status ok absent open
--- @reply touchedMs? int When it was last joined or advanced, if it goes on.
--- @returns `absent` when it is closed already; `open` when it goes on.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include conversation
local function conversation_close_idle(keys, args)
  rp.whole_slot(keys[1])
  local a = rp.read(ARGS, args)
  local seen = redis.call('HGET', keys[1] .. ':c:' .. a.conversation, 'seen')
  if not seen then return { rp.S.absent } end
  if a.nowMs - tonumber(seen) < a.idleMs then return { rp.S.open, tonumber(seen) } end
  rp.conversation_close(keys[1], a.conversation)
  return { rp.S.ok }
end
