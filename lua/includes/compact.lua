--- @fragment compact
--- @summary Builds vector sets with many dead members anew, without them, step by step.
--- @include record
--- @include vectors

-- Few dead members are cheaper to skip than to clear away; up to this many live ones are copied on the spot, unless too many
-- dead ones are to be looked at for them.
local FEW_DEAD, FEW_LIVE, MANY_DEAD = 32, 16, 256
-- How carefully a copy looks for its neighbours; members are added with twice as much.
local COPY_EF = 100

-- A vector as its quantised members, which point the same way: VADD scales it, so a copy is bit for bit the original.
local function copy(base, stratum, member)
  local raw = redis.call('VEMB', base .. ':v:' .. stratum, member, 'RAW')
  if not raw then return false end
  local size = #raw[2]
  local blob = struct.pack('<' .. string.rep('f', size), struct.unpack(string.rep('b', size), raw[2]))
  redis.call('VADD', base .. ':w:' .. stratum, 'FP32', blob, member, 'Q8', 'EF', COPY_EF)
  return true
end

-- The stratum as a whole, which is safe.
function rp.vectors_drop(base, stratum)
  redis.call('UNLINK', base .. ':v:' .. stratum, base .. ':w:' .. stratum)
  redis.call('HDEL', base .. ':strata', stratum)
  redis.call('SREM', base .. ':vd', stratum)
  redis.call('SREM', base .. ':vc', stratum)
end

-- The new set takes the old one's place.
local function swap(base, stratum)
  local old, new = base .. ':v:' .. stratum, base .. ':w:' .. stratum
  if redis.call('EXISTS', new) == 0 then return rp.vectors_drop(base, stratum) end
  redis.call('UNLINK', old)
  redis.call('RENAME', new, old)
end

local function is_live(base, stratum, member)
  local id, seq = rp.member_parts(member)
  local r = rp.record_get(base, id)
  return r ~= nil and r ~= false and r.stratum == stratum and r.inserted_seq == seq
end

-- A small set at once.
function rp.rebuild(base, stratum)
  redis.call('UNLINK', base .. ':w:' .. stratum)
  for _, member in ipairs(rp.vectors_sample(base, stratum, rp.vectors_size(base, stratum))) do
    if is_live(base, stratum, member) then copy(base, stratum, member) end
  end
  swap(base, stratum)
end

-- One live member fewer. Call it once for an entry whose record is removed or leaves the stratum.
function rp.vectors_remove(base, stratum)
  local live = redis.call('HINCRBY', base .. ':strata', stratum, -1)
  if live <= 0 then return rp.vectors_drop(base, stratum) end
  local dead = redis.call('VCARD', base .. ':v:' .. stratum) - live
  if dead <= live or dead < FEW_DEAD then return end
  if live <= FEW_LIVE and dead <= MANY_DEAD then rp.rebuild(base, stratum) else redis.call('SADD', base .. ':vd', stratum) end
end

-- Live members of a stratum, counted; for sets whose register may be wrong.
function rp.count_live(base, stratum, members)
  local live = 0
  for _, member in ipairs(members) do
    if is_live(base, stratum, member) then live = live + 1 end
  end
  return live
end

-- The place behind a stratum of the page that began at `place`.
function rp.strata_place(place, stratum)
  return string.match(place, '^%d+') .. ':' .. stratum
end

-- Strata of the register from a place on, about `count` of them with few members each, as pairs of name and live members, and
-- the next place ('0' at the end). HSCAN gives a small hash as a whole, whatever is asked for: then the next place is the
-- same page behind the last name, in the order of the names, so that what comes and goes in between shifts nothing.
function rp.strata_page(base, place, count)
  local cursor, after = string.match(place, '^(%d+)(.*)$')
  local page, names, live = redis.call('HSCAN', base .. ':strata', cursor, 'COUNT', count), {}, {}
  for i = 1, #page[2], 2 do
    local name = page[2][i]
    if after == '' or name > string.sub(after, 2) then
      names[#names + 1], live[name] = name, tonumber(page[2][i + 1])
    end
  end
  table.sort(names)
  local rows = {}
  for i = 1, math.min(count, #names) do rows[i] = { names[i], live[names[i]] } end
  return #names > count and rp.strata_place(place, names[count]) or page[1], rows
end

-- A pass begins by taking over what is marked and ends by putting the new sets in place, both some strata a step.
local BEGIN, END = 'begin', 'end'
-- The server frees a vector set in the call that removes it, at about .2 µs a member.
local MOST_FREED = 8192

local function some_strata(base, name, most)
  return redis.call('SRANDMEMBER', base .. ':' .. name, most)
end

local function begin(base, most)
  for _, stratum in ipairs(some_strata(base, 'vd', most)) do
    redis.call('UNLINK', base .. ':w:' .. stratum)
    redis.call('SADD', base .. ':vc', stratum)
    redis.call('SREM', base .. ':vd', stratum)
  end
  return redis.call('EXISTS', base .. ':vd') == 1 and BEGIN or '0'
end

local function finish(base, most)
  local freed = 0
  for _, stratum in ipairs(some_strata(base, 'vc', most)) do
    freed = freed + redis.call('VCARD', base .. ':v:' .. stratum)
    swap(base, stratum)
    redis.call('SREM', base .. ':vc', stratum)
    if freed >= MOST_FREED then break end
  end
  return redis.call('EXISTS', base .. ':vc') == 1 and END or nil
end

-- One step of a pass over all entries that copies those of the strata in `vc` (marked before in `vd`): looks at about
-- `looks` entries and copies at most `copies`. True while there is more to do.
function rp.compact_step(base, looks, copies)
  local cursor = redis.call('HGET', base .. ':gate', 'pass')
  if not cursor and redis.call('EXISTS', base .. ':vd') == 0 then return false end
  if not cursor or cursor == BEGIN then
    redis.call('HSET', base .. ':gate', 'pass', begin(base, looks))
    return true
  end
  if cursor == END then
    if finish(base, copies) then return true end
    redis.call('HDEL', base .. ':gate', 'pass')
    return redis.call('EXISTS', base .. ':vd') == 1
  end
  local page = redis.call('HSCAN', base .. ':post', cursor, 'COUNT', looks)
  local copied, wanted = 0, {}
  for i = 1, #page[2], 2 do
    local r = rp.record_unpack(page[2][i + 1])
    local stratum = r.stratum
    if stratum ~= '' and wanted[stratum] == nil then
      wanted[stratum] = redis.call('SISMEMBER', base .. ':vc', stratum) == 1
    end
    local member = wanted[stratum] and rp.member(page[2][i], r.inserted_seq)
    if member and redis.call('VISMEMBER', base .. ':w:' .. stratum, member) == 0 then
      -- Not all of this page fits into the step: the same page again.
      if copied == copies then return true end
      if copy(base, stratum, member) then copied = copied + 1 end
    end
  end
  redis.call('HSET', base .. ':gate', 'pass', page[1] == '0' and END or page[1])
  return true
end
