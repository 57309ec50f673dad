--- @fragment memo
--- @summary Replies by request id, kept for a while: a repeated call changes nothing and gets the same answer.

local KEEP_MS = 600000

function rp.memo_get(base, request)
  local packed = redis.call('GET', base .. ':seen:' .. request)
  return packed and cmsgpack.unpack(packed)
end

function rp.memo_set(base, request, reply)
  redis.call('SET', base .. ':seen:' .. request, cmsgpack.pack(reply), 'PX', KEEP_MS)
  return reply
end

function rp.memo_reply(status, reply)
  local all = { status }
  for i = 1, #reply do all[i + 1] = reply[i] end
  return all
end
