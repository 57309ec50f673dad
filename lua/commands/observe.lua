--- @command observe
--- @summary A judge's verdict on a reuse, made or not made: counted in the entry's posterior and kept for learning.
--- @key base
--- @arg requestId id Idempotency: a request has one label.
--- @arg entryId id The candidate.
--- @arg conversation id The conversation of the request.
--- @arg user name End user of the request.
--- @arg correct bool The verdict.
--- @arg counter text Names of the counters of a reuse like this, divided by spaces.
--- @arg label text What is kept for learning; '' = only the verdict is counted.
--- @status ok duplicate
--- @reply applied bool False when the entry is gone; the verdict is counted and kept all the same.
--- @returns `duplicate` when the request was labelled before; nothing changed.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include engine
--- @include memo
--- @include risk
local function observe(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local request = 'o:' .. a.requestId
  local memo = rp.memo_text(base, request)
  if memo then return { rp.S.duplicate, tonumber(memo) } end
  local x = rp.session(base, rp.head(base))
  local applied = rp.label(x, a.entryId, a.correct, nil)
  rp.session_end(x)
  -- Said to be missing before, by a try that failed.
  if rp.memo_text(base, 'm:' .. a.requestId) then rp.count(base, 'judge_missing', -1) end
  for name in string.gmatch(a.counter, '[%w_]+') do rp.count(base, name) end
  if a.label ~= '' then rp.risk_label(base, a.conversation, a.requestId, a.entryId, a.user, a.label) end
  rp.memo_note(base, request, applied and '1' or '0')
  return { rp.S.ok, applied and 1 or 0 }
end
