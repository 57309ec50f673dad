--- @fragment hit
--- @summary The bookkeeping of a served entry, in the call that serves it: one `feedback` of the specification.
--- @include engine
--- @include events

function rp.hit(base, head, id, r, loss)
  local x = rp.session(base, head)
  x.entries[id] = { id = id, r = r }
  rp.feedback(x, { id }, loss, { importance = 0, source = 0 })
  rp.event(x, 'hit', r.representative, loss, { size = r.size })
  rp.session_end(x)
end
