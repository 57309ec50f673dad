--- @fragment sweep
--- @summary Walks the registers of a namespace step by step and removes what is expired or orphaned.
--- @include base
--- @include events
--- @include install
--- @include remove

-- A step ends after this many removals or copies of vectors.
local MOST_REMOVALS = 32
-- Strata that one step looks at, fewer if they have many members.
local STRATA = 16

local function sweep_posts(base, now, cursor, limit)
  local page = redis.call('HSCAN', base .. ':post', cursor, 'COUNT', limit)
  local removed, unindexed = 0, 0
  for i = 1, #page[2], 2 do
    local id, r = page[2][i], rp.record_unpack(page[2][i + 1])
    local d = r.valid_until > now and rp.about(base, id)
    if removed + unindexed == MOST_REMOVALS then
      -- Not all of this page fitted into the step: the same page again.
      return cursor, i - 1, removed
    elseif not d then
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

-- Exact keys that lead nowhere (a server that drops keys).
local function sweep_exact_keys(base, _, cursor, limit)
  local page = redis.call('HSCAN', base .. ':x', cursor, 'COUNT', limit)
  local removed = 0
  for i = 1, #page[2], 2 do
    if redis.call('HEXISTS', base .. ':post', page[2][i + 1]) == 0 then
      removed = removed + redis.call('HDEL', base .. ':x', page[2][i])
    end
  end
  return page[1], #page[2] / 2, removed
end

-- Strata whose register does not agree with their members (a server that drops keys), and those with dead members: a
-- quarter of them at any time, any at every sixteenth round.
local function sweep_strata(base, _, cursor, limit)
  local next_place, rows = rp.strata_page(base, cursor, STRATA)
  local every = tonumber(redis.call('HGET', base .. ':gate', 'rounds') or '0') % 16 == 0
  local looked = 0
  for i, row in ipairs(rows) do
    -- Not all of these strata fit into the step: the rest is for the next one.
    if looked >= limit then return rp.strata_place(cursor, rows[i - 1][1]), i - 1, 0 end
    local stratum, live = row[1], row[2]
    local size = rp.vectors_size(base, stratum)
    if size <= limit then
      looked = looked + size
      local counted = rp.count_live(base, stratum, rp.vectors_sample(base, stratum, size))
      if counted ~= live then redis.call('HSET', base .. ':strata', stratum, counted) end
      live = counted
    end
    if live == 0 then
      rp.vectors_drop(base, stratum)
    elseif (size - live) * 4 > live or (every and size > live) then
      redis.call('SADD', base .. ':vd', stratum)
    end
  end
  return next_place, #rows, 0
end

local function sweep_dead(base, _, _, limit)
  return rp.compact_step(base, limit, MOST_REMOVALS) and '1' or '0', 0, 0
end

-- What a cut of the capacity or of a share has left to do, because nobody went on with it.
local function sweep_excess(base)
  local x = rp.session(base, rp.head(base))
  if rp.excess(x) == 0 then return '0', 0, 0 end
  rp.trim(x, 16, x.s.step % 2147483648)
  rp.session_end(x)
  return rp.excess(x) > 0 and '1' or '0', 0, 0
end

local phases = { sweep_excess, sweep_posts, sweep_tier('m'), sweep_tier('p'), sweep_tier('r'), sweep_exact_keys, sweep_strata, sweep_dead }

-- One step. Returns whether a round ended, and how many members were looked at and removed.
function rp.sweep(base, now, limit)
  local place = redis.call('HGET', base .. ':gate', 'sweep') or '1 0'
  local phase, cursor = string.match(place, '^(%d+) (.+)$')
  phase = tonumber(phase)
  local next_cursor, scanned, removed = phases[phase](base, now, cursor, limit)
  if next_cursor == '0' then phase = phase + 1 end
  local done = phase > #phases
  redis.call('HSET', base .. ':gate', 'sweep', (done and 1 or phase) .. ' ' .. next_cursor)
  if done then redis.call('HINCRBY', base .. ':gate', 'rounds', 1) end
  return done, scanned, removed
end
