--- @fragment memo
--- @summary Replies by request id: a repeated call changes nothing and gets the same answer.

-- The latest calls are remembered, this many to twice as many, in two hashes: one that fills and the one before it. A key
-- a call with a time to live would cost five times as much. A hash fills for an hour at most and both live on for another one,
-- so that every call is remembered for at least an hour, if no more than `MOST` others follow, and for three at most. Purges leave
-- them alone: a repeated call must not count again, and they name requests and entries, nothing of what was asked or answered.
local MOST = 8192
local KEEP_MS = 3600000

function rp.memo_text(base, request)
  return redis.call('HGET', base .. ':seen:new', request) or redis.call('HGET', base .. ':seen:old', request)
end

-- How full the hash is, is looked at every so many notes of a namespace; the first note of a process always looks.
local LOOK_EVERY = 16
local unlooked, spaces = {}, 0

local function look(base, key)
  if unlooked[base] == nil then spaces = spaces + 1 end
  if spaces > 256 then unlooked, spaces = {}, 1 end
  unlooked[base] = 0
  if redis.call('HLEN', key) >= MOST then redis.call('RENAME', key, base .. ':seen:old') end
end

function rp.memo_note(base, request, text)
  local key, old = base .. ':seen:new', base .. ':seen:old'
  local left = redis.call('PTTL', key)
  if left >= 0 and left <= KEEP_MS then
    redis.call('RENAME', key, old)
    redis.call('PEXPIRE', old, KEEP_MS)
    left = -2
  end
  redis.call('HSET', key, request, text)
  if left < 0 then redis.call('PEXPIRE', key, 2 * KEEP_MS) end
  local notes = unlooked[base]
  if notes and notes < LOOK_EVERY then
    unlooked[base] = notes + 1
  else
    look(base, key)
  end
end

function rp.memo_get(base, request)
  local packed = rp.memo_text(base, request)
  return packed and cmsgpack.unpack(packed)
end

function rp.memo_set(base, request, reply)
  rp.memo_note(base, request, cmsgpack.pack(reply))
  return reply
end

function rp.memo_reply(status, reply)
  local all = { status }
  for i = 1, #reply do all[i + 1] = reply[i] end
  return all
end
