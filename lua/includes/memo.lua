--- @fragment memo
--- @summary Replies by request id: a repeated call changes nothing and gets the same answer.

-- The latest calls are remembered, this many to twice as many, in two hashes: one that fills and the one before it. A key
-- a call with a time to live would cost five times as much. A hash fills for an hour at most and both live on for another one,
-- so that every call is remembered for at least an hour, if no more than `MOST` others follow, and for three at most. A purge
-- leaves the calls in (a repeated one must not count again) and takes out the ids that it removed; one of everything takes all.
local MOST = 8192
local KEEP_MS = 3600000

-- Calls are remembered by a hash behind their kind, so that nothing here names a request: a conversation may be called by one.
local function field_of(request)
  return string.sub(request, 1, 2) .. string.sub(redis.sha1hex(request), 1, 24)
end

function rp.memo_text(base, request)
  local field = field_of(request)
  return redis.call('HGET', base .. ':seen:new', field) or redis.call('HGET', base .. ':seen:old', field)
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
  redis.call('HSET', key, field_of(request), text)
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

local function without(list, gone)
  if type(list) ~= 'table' then return list, false end
  local kept = {}
  for _, id in ipairs(list) do
    if not gone(id) then kept[#kept + 1] = id end
  end
  return rp.some(kept), #kept < #list
end

-- The same value without the ids that are gone; nil when it names none.
local function cleared(field, text, gone)
  local kind = string.sub(field, 1, 2)
  if kind == 'a:' then return gone(text) and '' or nil end
  if kind ~= 'f:' and kind ~= 'l:' then return nil end
  local reply, changed = cmsgpack.unpack(text), false
  for i = 1, #reply do
    local found
    reply[i], found = without(reply[i], gone)
    changed = changed or found
  end
  return changed and cmsgpack.pack(reply) or nil
end

-- One page of the memory: takes ids out of what is remembered. `place` is 'new 0' at first; returns the next one, nil at the end.
function rp.memo_forget(base, place, gone)
  local name, cursor = string.match(place, '^(%a+) (%d+)$')
  local key = name == 'new' and base .. ':seen:new' or base .. ':seen:old'
  local page = redis.call('HSCAN', key, cursor, 'COUNT', 250)
  for i = 1, #page[2], 2 do
    local text = cleared(page[2][i], page[2][i + 1], gone)
    if text then redis.call('HSET', key, page[2][i], text) end
  end
  if page[1] ~= '0' then return name .. ' ' .. page[1] end
  return name == 'new' and 'old 0' or nil
end
