--- @fragment check
--- @summary The invariants of a namespace (algorithms.md §4.7, 1 and 2), looked at step by step.
--- @include base
--- @include record
--- @include vectors

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
  local d, tiers = rp.about(r), tiers_of(base, id)
  if #tiers ~= 1 then say('entry %s is in %d tiers (%s)', id, #tiers, table.concat(tiers, ' ')) end
  if r.stratum ~= '' and not rp.vectors_has(base, r.stratum, id) then say('entry %s has no vector', id) end
  local life = redis.call('PTTL', base .. ':e:' .. id)
  if life == -1 then say('the answer of entry %s never expires', id) end
  if life == -2 and rp.valid_until(d) > now then
    say('entry %s has no answer, %.0f ms before its end', id, rp.valid_until(d) - now)
  end
  if d.exact_until <= now then return end
  for _, key in ipairs(rp.list(d.exact_keys)) do
    local owner = redis.call('GET', base .. ':x:' .. key)
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

-- All members of small strata, a random part of large ones; the register tells how many there must be.
local function check_strata(base, cursor, _, limit, say)
  local page = redis.call('HSCAN', base .. ':strata', cursor, 'COUNT', 1)
  for i = 1, #page[2], 2 do
    local stratum, count = page[2][i], tonumber(page[2][i + 1])
    local size = rp.vectors_size(base, stratum)
    if size ~= count then say('stratum %s has %d vectors, its register says %d', stratum, size, count) end
    for _, id in ipairs(rp.vectors_sample(base, stratum, limit)) do
      local p = rp.record_get(base, id)
      if not p then
        say('vector %s of stratum %s is no entry', id, stratum)
      elseif p.stratum ~= stratum then
        say('vector %s of stratum %s belongs to %s', id, stratum, p.stratum)
      end
    end
  end
  return page[1]
end

-- Sums that must agree, and the capacity.
local function check_totals(base, _, _, _, say)
  local posts, size = redis.call('HLEN', base .. ':post'), 0
  for _, tier in ipairs(TIERS) do size = size + redis.call('ZCARD', base .. ':t:' .. tier) end
  -- `over`: a smaller capacity is in force and not yet reached; the size only falls.
  local capacity = math.max(rp.head(base).capacity, tonumber(redis.call('HGET', base .. ':gate', 'over') or '0'))
  if size ~= posts then say('%d members of tiers, %d entries', size, posts) end
  if size > capacity then say('%d entries are more than the capacity of %.0f', size, capacity) end
  return '0'
end

local phases = { check_totals, check_posts, check_tier('m'), check_tier('p'), check_tier('r'), check_strata }

-- One step from `place` ('start' at first); returns the next place ('end' at last) and the problems in words.
function rp.check(base, place, now, limit)
  if place == 'start' then place = '1 0' end
  local phase, cursor = string.match(place, '^(%d+) (%d+)$')
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
