--- @fragment purge
--- @summary Which entries a purge takes, and their removal.
--- @include base
--- @include conversation
--- @include events
--- @include remove

local M = rp.M
local KEEP_MS = 600000

-- The next entries to look at: all of them by the register of posteriors, or the one that the filter names.
function rp.purge_page(base, a)
  if a.entryId ~= '' then return '0', { a.entryId } end
  local page = redis.call('HSCAN', base .. ':post', a.cursor, 'COUNT', a.limit, 'NOVALUES')
  return page[1], page[2]
end

local function has(list, value)
  for i = 1, #list do
    if list[i] == value then return true end
  end
  return false
end

function rp.purge_matches(id, meta, a)
  return (a.entryId == '' or a.entryId == id)
    and (a.exactKey == '' or has(meta[M.exact_keys], a.exactKey))
    and (a.tag == '' or has(meta[M.tags], a.tag))
    and (a.model == '' or meta[M.model] == a.model)
    and (a.conversation == '' or meta[M.conversation] == a.conversation)
    and (a.user == '' or meta[M.user] == a.user)
    and (a.olderThanMs < 0 or rp.age(meta, a.nowMs) >= a.olderThanMs)
end

-- Its id is remembered for a while: decisions and flights that name it go in the second pass.
function rp.purge_remove(base, id, meta, token)
  rp.event_gone(base, id)
  rp.remove(base, id, meta)
  redis.call('SADD', base .. ':purge:' .. token, id)
  redis.call('PEXPIRE', base .. ':purge:' .. token, KEEP_MS)
end

-- Glob pattern of all keys of the namespace.
function rp.key_pattern(base)
  return string.gsub(base, '[%*%?%[%]\\]', '\\%0') .. ':*'
end
