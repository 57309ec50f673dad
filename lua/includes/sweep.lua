--- @fragment sweep
--- @summary Walks the registers of a namespace step by step and removes what is expired or orphaned.
--- @include base
--- @include events
--- @include remove

-- A removal from a vector set costs up to a tenth of a millisecond: a step ends after this many.
local MOST_REMOVALS = 32

local function sweep_posts(base, now, cursor, limit)
  local page = redis.call('HSCAN', base .. ':post', cursor, 'COUNT', limit)
  local removed, unindexed = 0, 0
  for i = 1, #page[2], 2 do
    local id, r = page[2][i], rp.record_unpack(page[2][i + 1])
    local d = rp.about(r)
    if removed + unindexed == MOST_REMOVALS then
      -- Not all of this page fitted into the step: the same page again.
      return cursor, i - 1, removed
    elseif rp.valid_until(d) <= now or redis.call('EXISTS', base .. ':e:' .. id) == 0 then
      rp.event_gone(base, id)
      rp.remove(base, id, { r = r })
      removed = removed + 1
    elseif r.stratum ~= '' and d.semantic_until <= now then
      rp.leave_stratum(base, id, r)
      unindexed = unindexed + 1
    end
  end
  return page[1], #page[2] / 2, removed
end

local function sweep_tier(name)
  return function(base, _, cursor, limit)
    local page = redis.call('ZSCAN', base .. ':t:' .. name, cursor, 'COUNT', limit)
    local removed = 0
    for i = 1, #page[2], 2 do
      if redis.call('HEXISTS', base .. ':post', page[2][i]) == 0 then
        rp.remove(base, page[2][i])
        removed = removed + 1
      end
    end
    return page[1], #page[2] / 2, removed
  end
end

-- Members of a vector set cannot be walked with a cursor: a random part of each stratum is looked at.
local function sweep_vectors(base, _, cursor, limit)
  local page = redis.call('HSCAN', base .. ':strata', cursor, 'COUNT', 1, 'NOVALUES')
  local scanned, removed = 0, 0
  for _, stratum in ipairs(page[2]) do
    local members = rp.vectors_sample(base, stratum, limit)
    if #members == 0 then redis.call('HDEL', base .. ':strata', stratum) end
    scanned = scanned + #members
    for _, id in ipairs(members) do
      if removed < MOST_REMOVALS and redis.call('HEXISTS', base .. ':post', id) == 0 then
        rp.vectors_remove(base, stratum, id)
        removed = removed + 1
      end
    end
  end
  return page[1], scanned, removed
end

local phases = { sweep_posts, sweep_tier('m'), sweep_tier('p'), sweep_tier('r'), sweep_vectors }

-- One step. Returns whether a round ended, and how many members were looked at and removed.
function rp.sweep(base, now, limit)
  local place = redis.call('HGET', base .. ':gate', 'sweep') or '1 0'
  local phase, cursor = string.match(place, '^(%d+) (%d+)$')
  phase = tonumber(phase)
  local next_cursor, scanned, removed = phases[phase](base, now, cursor, limit)
  if next_cursor == '0' then phase = phase + 1 end
  local done = phase > #phases
  redis.call('HSET', base .. ':gate', 'sweep', (done and 1 or phase) .. ' ' .. next_cursor)
  return done, scanned, removed
end
