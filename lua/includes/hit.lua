--- @fragment hit
--- @summary The bookkeeping of a served entry, in the call that serves it: one `feedback` of the specification.
--- @include engine
--- @include events

-- `cost`: micro-USD that the answer had cost upstream.
function rp.hit(base, head, id, loss, cost)
  local saved = math.floor(cost * 1000 + 0.5)
  if saved > 0 then rp.count(base, 'saved_nano_usd', string.format('%.0f', saved)) end
  local x = rp.session(base, head)
  rp.feedback(x, { id }, loss, { importance = 0, source = 0 })
  local entry = rp.live(x, id)
  if entry then rp.event(x, 'hit', entry.r.representative, loss, { size = entry.r.size }) end
  rp.session_end(x)
end
