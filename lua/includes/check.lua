--- @fragment check
--- @summary The invariants of a namespace (algorithms.md §4.7, 1 and 2), looked at step by step.
--- @include base
--- @include about
--- @include record
--- @include compact
--- @include exact_keys

local TIERS = { 'm', 'p', 'r' }

local function tiers_of(base, id)
  local found = {}
  for _, tier in ipairs(TIERS) do
    if redis.call('ZSCORE', base .. ':t:' .. tier, id) then found[#found + 1] = tier end
  end
  return found
end

-- One entry and everything that must lead to it.
local function check_entry(base, id, r, now, say)
  local d, tiers = rp.about(base, id), tiers_of(base, id)
  if #tiers ~= 1 then say('entry %s is in %d tiers (%s)', id, #tiers, table.concat(tiers, ' ')) end
  if r.stratum ~= '' and not rp.vectors_has(base, r.stratum, id, r.inserted_seq) then say('entry %s has no vector', id) end
  if not d then
    if r.valid_until > now then say('entry %s has no answer, %.0f ms before its end', id, r.valid_until - now) end
    return
  end
  if math.max(d.exact_until, d.semantic_until) ~= r.valid_until then say('entry %s: two ends of life', id) end
  if redis.call('PTTL', base .. ':e:' .. id) < 0 then say('the answer of entry %s never expires', id) end
  if d.exact_until <= now then return end
  for _, key in ipairs(rp.record_keys(r)) do
    local owner = rp.exact_owner(base, key)
    if not owner then
      say('exact key %s of entry %s leads nowhere', key, id)
    elseif owner ~= id then
      say('exact key %s of entry %s leads to %s', key, id, owner)
    end
  end
end

local function check_posts(base, cursor, now, limit, say)
  local page = redis.call('HSCAN', base .. ':post', cursor, 'COUNT', limit)
  for i = 1, #page[2], 2 do check_entry(base, page[2][i], rp.record_unpack(page[2][i + 1]), now, say) end
  return page[1]
end

local function check_tier(tier)
  return function(base, cursor, _, limit, say)
    local page = redis.call('ZSCAN', base .. ':t:' .. tier, cursor, 'COUNT', limit)
    for i = 1, #page[2], 2 do
      if redis.call('HEXISTS', base .. ':post', page[2][i]) == 0 then
        say('member %s of tier %s is no entry', page[2][i], tier)
      end
    end
    return page[1]
  end
end

local function check_exact_keys(base, cursor, _, limit, say)
  local page = redis.call('HSCAN', base .. ':x', cursor, 'COUNT', limit)
  for i = 1, #page[2], 2 do
    if redis.call('HEXISTS', base .. ':post', page[2][i + 1]) == 0 then
      say('exact key %s leads to %s, which is no entry', rp.long(page[2][i]), page[2][i + 1])
    end
  end
  return page[1]
end

-- A representative is in one of ARC's two ghost lists.
local function check_ghosts(base, cursor, _, limit, say)
  local page = redis.call('ZSCAN', base .. ':gh:arc:b1', cursor, 'COUNT', limit)
  for i = 1, #page[2], 2 do
    if redis.call('ZSCORE', base .. ':gh:arc:b2', page[2][i]) then say('representative %s is in both ghost lists', page[2][i]) end
  end
  return page[1]
end

-- As many live members as the register says, where all of them can be looked at.
local function check_strata(base, cursor, _, limit, say)
  local next_place, rows = rp.strata_page(base, cursor, 16)
  local looked = 0
  for i, row in ipairs(rows) do
    if looked >= limit then return rp.strata_place(cursor, rows[i - 1][1]) end
    local stratum, count = row[1], row[2]
    local size = rp.vectors_size(base, stratum)
    if size < count then say('stratum %s has %d vectors, its register says %d', stratum, size, count) end
    if size >= count and size <= limit then
      looked = looked + size
      local live = rp.count_live(base, stratum, rp.vectors_sample(base, stratum, size))
      if live ~= count then say('stratum %s has %d live vectors, its register says %d', stratum, live, count) end
    end
  end
  return next_place
end

-- Sums that must agree, and the capacity.
local function check_totals(base, _, _, _, say)
  local posts, size = redis.call('HLEN', base .. ':post'), 0
  for _, tier in ipairs(TIERS) do size = size + redis.call('ZCARD', base .. ':t:' .. tier) end
  -- `over`: a smaller capacity is in force and not yet reached; the size only falls.
  local head = rp.head(base)
  local capacity = math.max(head.capacity, tonumber(head.over or '0'))
  if size ~= posts then say('%d members of tiers, %d entries', size, posts) end
  if size > capacity then say('%d entries are more than the capacity of %.0f', size, capacity) end
  return '0'
end

local phases = { check_totals, check_posts, check_tier('m'), check_tier('p'), check_tier('r'), check_strata, check_exact_keys, check_ghosts }

-- One step from `place` ('start' at first); returns the next place ('end' at last) and the problems in words.
function rp.check(base, place, now, limit)
  if place == 'start' then place = '1 0' end
  local phase, cursor = string.match(place, '^(%d+) (.+)$')
  phase = tonumber(phase)
  if not phase or not phases[phase] then rp.fail('RP_ERR_ARGUMENT', 'cursor is not one of this walk') end
  -- The server ends keys by its own clock, which may be ahead of the caller's.
  local time, problems = redis.call('TIME'), {}
  now = math.max(now, time[1] * 1000 + math.floor(time[2] / 1000))
  local next_cursor = phases[phase](base, cursor, now, limit, function(format, ...)
    problems[#problems + 1] = string.format(format, ...)
  end)
  if next_cursor == '0' then phase = phase + 1 end
  return phase > #phases and 'end' or (phase .. ' ' .. next_cursor), problems
end
