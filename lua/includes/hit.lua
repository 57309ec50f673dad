--- @fragment hit
--- @summary The bookkeeping of a served entry, in the call that serves it: one `feedback` of the specification.
--- @include engine

function rp.hit(base, head, id, loss)
  local x = rp.session(base, head)
  rp.feedback(x, { id }, loss, { importance = 0, source = 0 })
  rp.session_end(x)
end
