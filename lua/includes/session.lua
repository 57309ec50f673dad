--- @fragment session
--- @summary What one call holds of a namespace's policy state: numbers of `gate`, sizes of tiers, records that it touched.
--- @include base
--- @include gate
--- @include record

-- Fields of the hash `gate`, and their values in a new namespace (`tau` depends on the gate).
local NUMBERS = {
  step = 0, ticks = 0, offers = 0, seq = 0, clock = 0, c = 0, last_delta = 0, slope = 0, arc_p = 0, ghosts = 0,
  planned_version = 0,
}
local NAMES = {
  'step', 'ticks', 'offers', 'seq', 'clock', 'c', 'last_delta', 'slope', 'arc_p', 'ghosts', 'planned_version', 'tau',
  'window', 'over',
}

function rp.session(base, head)
  local values = redis.call('HMGET', base .. ':gate', unpack(NAMES))
  local s, read = {}, {}
  for i, name in ipairs(NAMES) do
    read[name] = values[i]
    if NUMBERS[name] then s[name] = values[i] and tonumber(values[i]) or NUMBERS[name] end
  end
  s.tau = values[12] and tonumber(values[12]) or rp.initial_tau(head.config.gate)
  s.window = values[13] or ''
  local sizes = {}
  for _, tier in ipairs({ 'm', 'p', 'r' }) do sizes[tier] = redis.call('ZCARD', base .. ':t:' .. tier) end
  return {
    base = base, head = head, config = head.config, s = s, read = read, sizes = sizes, entries = {}, counts = {},
    over = values[14],
    -- The bound in force: the capacity, or the size while a smaller capacity is not yet reached.
    bound = math.max(head.capacity, sizes.m + sizes.p + sizes.r),
  }
end

function rp.session_size(x)
  return x.sizes.m + x.sizes.p + x.sizes.r
end

function rp.session_count(x, name, by)
  x.counts[name] = (x.counts[name] or 0) + (by or 1)
end

function rp.next_seq(x)
  x.s.seq = x.s.seq + 1
  return x.s.seq
end

-- Counts a step; true when it is an aging tick.
function rp.next_step(x)
  x.s.step = x.s.step + 1
  if x.s.step % x.config.aging_every ~= 0 then return false end
  x.s.ticks = x.s.ticks + 1
  return true
end

-- Checks the capacity and writes what has changed.
function rp.session_end(x)
  local size = rp.session_size(x)
  if size > x.bound then rp.fail('RP_ERR_INVARIANT', size .. ' entries are more than ' .. x.bound) end
  local changed = {}
  for _, name in ipairs(NAMES) do
    local value = x.s[name]
    local text = type(value) == 'number' and rp.exact_number(value) or value
    if text and text ~= (x.read[name] or '') then
      changed[#changed + 1] = name
      changed[#changed + 1] = text
    end
  end
  if #changed > 0 then redis.call('HSET', x.base .. ':gate', unpack(changed)) end
  if size > x.head.capacity then
    redis.call('HSET', x.base .. ':gate', 'over', size)
  elseif x.over then
    redis.call('HDEL', x.base .. ':gate', 'over')
  end
  for id, entry in pairs(x.entries) do
    if entry and entry.changed then rp.record_set(x.base, id, entry.r) end
  end
  for name, by in pairs(x.counts) do rp.count(x.base, name, by) end
end
