--- @fragment hit
--- @summary The bookkeeping of a served entry, in the call that serves it: one `feedback` of the specification.
--- @include engine
--- @include events

function rp.hit(base, head, id, loss)
  local x = rp.session(base, head)
  rp.feedback(x, { id }, loss, { importance = 0, source = 0 })
  local entry = rp.live(x, id)
  if entry then rp.event(x, 'hit', entry.r.representative, loss, { size = entry.r.size }) end
  rp.session_end(x)
end
