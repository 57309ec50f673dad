--- @command label
--- @summary A judge's verdict on a reuse.
--- @key base
--- @arg requestId id Idempotency: a request labels an entry once.
--- @arg entryId id The entry that was reused.
--- @arg correct bool The verdict.
--- @arg importance num -1..1e15 Importance that the label claims; -1 = none.
--- @arg source int 0..2147483647 Hash of who claims; 0 = not known.
--- @status ok duplicate
--- @reply applied bool False when the entry is gone; the verdict is counted all the same.
--- @reply promoted list Ids that moved into the protected tier.
--- @reply demoted list Ids that moved out of it.
--- @returns `duplicate` repeats the reply of the first call.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include engine
--- @include memo
local function label(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local request = 'l:' .. a.requestId .. '\31' .. a.entryId
  local memo = rp.memo_get(base, request)
  if memo then return rp.memo_reply(rp.S.duplicate, memo) end
  local x = rp.session(base, rp.head(base))
  local applied, moves = rp.label(x, a.entryId, a.correct, a.importance >= 0 and a or nil)
  rp.session_end(x)
  local reply = { applied and 1 or 0, rp.some(moves.promoted), rp.some(moves.demoted) }
  return rp.memo_reply(rp.S.ok, rp.memo_set(base, request, reply))
end
