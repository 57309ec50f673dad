--- @command judge_missing
--- @summary A reuse that was drawn for judging has no verdict.
--- @key base
--- @arg requestId id Idempotency: a request is missing once.
--- @status ok duplicate
--- @returns `duplicate` when it was counted before, or has a label.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include memo
local function judge_missing(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  rp.whole_slot(base)
  if rp.memo_text(base, 'o:' .. a.requestId) or rp.memo_text(base, 'm:' .. a.requestId) then return { rp.S.duplicate } end
  rp.count(base, 'judge_missing')
  rp.memo_note(base, 'm:' .. a.requestId, '1')
  return { rp.S.ok }
end
