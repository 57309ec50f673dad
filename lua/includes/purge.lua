--- @fragment purge
--- @summary Which entries a purge takes, and their removal.
--- @include base
--- @include conversation
--- @include events
--- @include remove

local KEEP_MS = 600000

-- Most removals of one step.
rp.PURGE_REMOVALS = 16

-- An answer that was asked for before a purge is not stored after it, whatever the purge was of: its sources may be
-- what the purge is about.
function rp.purge_begins(base)
  redis.call('HINCRBY', base, 'purges', 1)
end

-- The first page once more: a step that did not get through it has not come to the end, which is '0'.
local AGAIN = 'again'

-- The next entries to look at: all of them by the register, or the one that the filter names.
local function page_of(base, a)
  if a.entryId ~= '' then return '0', { a.entryId } end
  local page = redis.call('HSCAN', base .. ':post', a.cursor == AGAIN and '0' or a.cursor, 'COUNT', a.limit, 'NOVALUES')
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

-- Whether the purge takes the entry, and whether anything was removed. One that has expired says no more what it was: unless
-- this is a dry run, what is left of it goes in any case.
local function takes(base, id, a)
  local d = rp.about(base, id)
  if d then return matches(base, id, d, a), false end
  local r = not a.dryRun and rp.record_get(base, id)
  if not r then return false, false end
  rp.remove(base, id, { r = r })
  if redis.call('HEXISTS', base .. ':strata', r.stratum) == 1 then redis.call('SADD', base .. ':vd', r.stratum) end
  return false, true
end

-- Its id is remembered for a while: decisions and flights that name it go in the second pass.
local function take(base, id, token)
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

-- One page of a purge. A page may have far more entries than were asked for (HSCAN, while the hash shrinks): after `most`
-- removals the rest of it is left for the next step. Calls `found` with each id that matches. Returns where to go on ('0' at
-- the end), how many entries were looked at, and how many removed.
function rp.purge_page(base, a, most, found)
  local cursor, ids = page_of(base, a)
  local removed = 0
  for looked, id in ipairs(ids) do
    if removed >= most then return a.cursor == '0' and AGAIN or a.cursor, looked - 1, removed end
    local matched, gone = takes(base, id, a)
    if matched then
      found(id)
      if not a.dryRun then take(base, id, a.token) end
    end
    if gone or matched and not a.dryRun then removed = removed + 1 end
  end
  return cursor, #ids, removed
end

-- Glob pattern of all keys of the namespace.
function rp.key_pattern(base)
  return string.gsub(base, '[%*%?%[%]\\]', '\\%0') .. ':*'
end
