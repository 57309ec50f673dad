--- @command conversation_advance
--- @summary Lets a conversation wait at its next head.
--- @key base
--- @arg conversation id The conversation.
--- @arg nextHead id Hash of the messages including the answer.
--- @arg snapshot int 0..9e15 Version of what was learned when it began, unless that is known; 0 = nothing.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg idleMs int 1..9e12 When an idle conversation ends.
--- @status ok
--- @returns Nothing else.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include conversation
local function conversation_advance(keys, args)
  rp.whole_slot(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  local key, waiting = base .. ':c:' .. a.conversation, base .. ':ch:' .. a.nextHead
  local old = redis.call('HGET', key, 'head')
  if old and old ~= '' then redis.call('ZREM', base .. ':ch:' .. old, a.conversation) end
  rp.conversation_touch(base, a.conversation, a.nextHead, a.nowMs, a.idleMs)
  rp.conversation_pin(base, a.conversation, a.snapshot)
  redis.call('ZADD', waiting, string.format('%.0f', a.nowMs), a.conversation)
  -- Equal conversations of many callers wait at one head: the newest 64 do.
  redis.call('ZREMRANGEBYRANK', waiting, 0, -65)
  redis.call('PEXPIRE', waiting, a.idleMs)
  return { rp.S.ok }
end
