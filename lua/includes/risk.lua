--- @fragment risk
--- @summary Labels and what was learned: stream `lab`, hash `cal`, string `model`.
--- @include args

-- About how many events are kept; older ones leave, learned from or not.
local MOST = 20000
local PAGE = 500

-- Says in the stream that a conversation with labels has ended. Nothing is said where no labels are kept.
function rp.risk_end(base, conversation)
  redis.call('XADD', base .. ':lab', 'NOMKSTREAM', 'MAXLEN', '~', MOST, '*', 'e', conversation)
end

-- `late`: the conversation had ended before. Marks one that goes on, so that its end is said.
function rp.risk_label(base, conversation, request, entry, user, label)
  local key = base .. ':c:' .. conversation
  local late = redis.call('EXISTS', key) == 0
  if not late then redis.call('HSET', key, 'labelled', '1') end
  redis.call(
    'XADD', base .. ':lab', 'MAXLEN', '~', MOST, '*', 'l', conversation, 'request', request, 'entry', entry, 'user', user,
    'late', late and 1 or 0, 'label', label
  )
end

-- Events behind `after`, oldest first, as rows of id, kind, conversation, late, label.
function rp.risk_events(base, after, count)
  local rows = {}
  local from = after == '' and '-' or '(' .. after
  for _, event in ipairs(redis.call('XRANGE', base .. ':lab', from, '+', 'COUNT', count)) do
    local f = event[2]
    rows[#rows + 1] = f[1] == 'e' and { event[1], 'end', f[2], 0, '' } or { event[1], 'label', f[2], f[10], f[12] }
  end
  return rows
end

-- What was learned is void, for what it was learned from has gone; its version goes on, so that every gateway sees it.
-- The axes stay: they say nothing of any one text, and rows are of no use without them.
function rp.risk_reset(base)
  local key = base .. ':cal'
  local version, epoch = redis.call('HINCRBY', key, 'version', 1), redis.call('HINCRBY', key, 'epoch', 1)
  redis.call('DEL', key, base .. ':model')
  redis.call('HSET', key, 'version', version, 'epoch', epoch)
  redis.call('HSET', base, 'snapshot', version)
end

-- One page of a purge: removes the labels that it takes (by conversation, entry, user, and whether vectors of texts are kept). Returns where to go on, '' at the end, and how many went.
function rp.risk_purge(base, after, takes)
  local key = base .. ':lab'
  local page = redis.call('XRANGE', key, after == '' and '-' or '(' .. after, '+', 'COUNT', PAGE)
  local gone = {}
  for _, event in ipairs(page) do
    local f = event[2]
    if f[1] == 'l' and takes(f[2], f[6], f[8], string.find(f[12], '"texts":', 1, true)) then gone[#gone + 1] = event[1] end
  end
  if #gone > 0 then
    redis.call('XDEL', key, unpack(gone))
    rp.risk_reset(base)
  end
  return #page < PAGE and '' or page[#page][1], #gone
end
