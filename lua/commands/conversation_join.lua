--- @command conversation_join
--- @summary Takes the conversation that waits at a head, or opens a new one.
--- @key base
--- @arg head id Hash of all messages before the current one.
--- @arg fresh id Id of the conversation when none waits.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg idleMs int 1..9e12 When an idle conversation ends.
--- @status ok
--- @reply conversation text The conversation.
--- @reply opened bool It is new: a fork or a first turn.
--- @reply snapshot int Version of what was learned that it is decided by; 0: nothing was learned when it began.
--- @returns The conversation; it no longer waits, so a second request with the same history is a fork.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include conversation
local function conversation_join(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local waiting = base .. ':ch:' .. a.head
  for _ = 1, 64 do
    local id = redis.call('ZPOPMAX', waiting)[1]
    if not id then break end
    local key = base .. ':c:' .. id
    local f = redis.call('HMGET', key, 'head', 'seen')
    -- One that was idle for too long is over, also while the job that closes it has not run yet.
    if f[1] == a.head and a.nowMs - tonumber(f[2]) < a.idleMs then
      rp.conversation_touch(base, id, '', a.nowMs, a.idleMs)
      return { rp.S.ok, id, 0, rp.conversation_pin(base, id, head.snapshot) }
    end
  end
  rp.conversation_touch(base, a.fresh, '', a.nowMs, a.idleMs)
  redis.call('HINCRBY', base .. ':st', 'conversation_opened', 1)
  return { rp.S.ok, a.fresh, 1, rp.conversation_pin(base, a.fresh, head.snapshot) }
end
