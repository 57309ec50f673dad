--- @fragment purge
--- @summary Which entries a purge takes, and their removal.
--- @include base
--- @include conversation
--- @include events
--- @include remove

local KEEP_MS = 600000

-- An answer that was asked for before a purge is not stored after it, whatever the purge was of: its sources may be
-- what the purge is about.
function rp.purge_begins(base)
  redis.call('HINCRBY', base, 'purges', 1)
end

-- The next entries to look at: all of them by the register, or the one that the filter names.
function rp.purge_page(base, a)
  if a.entryId ~= '' then return '0', { a.entryId } end
  local page = redis.call('HSCAN', base .. ':post', a.cursor, 'COUNT', a.limit, 'NOVALUES')
  return page[1], page[2]
end

local function has(list, value)
  for _, member in ipairs(list) do
    if member == value then return true end
  end
  return false
end

-- Whether every given member of the filter `a` fits what an entry is about.
local function matches(base, id, d, a)
  return (a.model == '' or d.model == a.model)
    and (a.conversation == '' or d.conversation == a.conversation)
    and (a.user == '' or d.user == a.user)
    and (a.olderThanMs < 0 or rp.age(d, a.nowMs) >= a.olderThanMs)
    and (a.tag == '' or has(rp.list(d.tags), a.tag))
    and (a.exactKey == '' or has(rp.record_keys(rp.record_get(base, id) or { exact_keys = {} }), a.exactKey))
end

-- Whether the purge takes the entry. One that has expired says no more what it was: unless this is a dry run, what is
-- left of it goes in any case.
function rp.purge_takes(base, id, a, dry)
  local d = rp.about(base, id)
  if d then return matches(base, id, d, a) end
  local r = not dry and rp.record_get(base, id)
  if r then
    rp.remove(base, id, { r = r })
    if redis.call('HEXISTS', base .. ':strata', r.stratum) == 1 then redis.call('SADD', base .. ':vd', r.stratum) end
  end
  return false
end

-- Its id is remembered for a while: decisions and flights that name it go in the second pass.
function rp.purge_remove(base, id, token)
  rp.event_gone(base, id)
  local r = rp.record_get(base, id)
  rp.remove(base, id, r and { r = r })
  -- Its vector goes when the stratum has been built anew: the purge does that before it ends.
  if r and r.stratum ~= '' and redis.call('HEXISTS', base .. ':strata', r.stratum) == 1 then
    redis.call('SADD', base .. ':vd', r.stratum)
  end
  redis.call('SADD', base .. ':purge:' .. token, id)
  redis.call('PEXPIRE', base .. ':purge:' .. token, KEEP_MS)
end

-- Glob pattern of all keys of the namespace.
function rp.key_pattern(base)
  return string.gsub(base, '[%*%?%[%]\\]', '\\%0') .. ':*'
end
