--- @command feedback
--- @summary One request's outcome: which entries it used and what it cost.
--- @key base
--- @arg requestId id Idempotency: the same request counts once.
--- @arg delta num 0..1 Realised loss.
--- @arg importance num 0..1e15 Importance that the request claims for the used entries.
--- @arg source int 0..2147483647 Hash of who claims; 0 = not known.
--- @arg used rest Ids that served the request, or were recalled and helped; best first.
--- @status ok duplicate
--- @reply step int Steps so far.
--- @reply c num Accumulated loss.
--- @reply tau num Threshold of the gate.
--- @reply promoted list Ids that moved into the protected tier.
--- @reply demoted list Ids that moved out of it.
--- @returns `duplicate` repeats the reply of the first call.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include engine
--- @include events
--- @include memo
local function feedback(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local memo = rp.memo_get(base, 'f:' .. a.requestId)
  if memo then return rp.memo_reply(rp.S.duplicate, memo) end
  local x = rp.session(base, rp.head(base))
  local moves = rp.feedback(x, a.used, a.delta, a)
  local used, noted = {}, {}
  for _, id in ipairs(a.used) do
    local entry = rp.live(x, id)
    if entry and not noted[entry] then
      noted[entry] = true
      used[#used + 1] = entry.r.representative
    end
  end
  rp.event(x, 'use', table.concat(used, '\31'), a.delta, a)
  rp.session_end(x)
  local reply = {
    x.s.step, rp.exact_number(x.s.c), rp.exact_number(x.s.tau), rp.some(moves.promoted), rp.some(moves.demoted),
  }
  return rp.memo_reply(rp.S.ok, rp.memo_set(base, 'f:' .. a.requestId, reply))
end
