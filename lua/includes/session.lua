--- @fragment session
--- @summary What one call holds of a namespace's policy state: its numbers, sizes of tiers, records that it touched.
--- @include base
--- @include gate
--- @include record

-- The numbers of the policies, packed as doubles in this order in the field `state` of the base hash; the window of the
-- adaptive gate follows.
local NAMES = {
  'step', 'ticks', 'offers', 'seq', 'clock', 'c', 'last_delta', 'slope', 'arc_p', 'ghosts', 'planned_version', 'tau',
}
local FORMAT = '<dddddddddddd'
local SIZE = 96

local function unpack_state(packed, gate)
  local s = {}
  if not packed then
    for _, name in ipairs(NAMES) do s[name] = 0 end
    s.tau, s.window = rp.initial_tau(gate), ''
    return s
  end
  s.step, s.ticks, s.offers, s.seq, s.clock, s.c, s.last_delta, s.slope, s.arc_p, s.ghosts, s.planned_version, s.tau =
    struct.unpack(FORMAT, packed)
  s.window = string.sub(packed, SIZE + 1)
  return s
end

local function pack_state(s)
  return struct.pack(
    FORMAT, s.step, s.ticks, s.offers, s.seq, s.clock, s.c, s.last_delta, s.slope, s.arc_p, s.ghosts, s.planned_version,
    s.tau
  ) .. s.window
end

-- Sizes of tiers are read when they are first asked for; ask before you change a tier.
local LAZY = {
  __index = function(sizes, tier)
    local size = redis.call('ZCARD', rawget(sizes, 'base') .. ':t:' .. tier)
    sizes[tier] = size
    return size
  end,
}

function rp.session(base, head)
  return {
    base = base, head = head, config = head.config, s = unpack_state(head.state, head.config.gate), packed = head.state,
    over = head.over, sizes = setmetatable({ base = base }, LAZY), entries = {}, counts = {},
  }
end

-- Entries: each has one record and one place in a tier. What changes a tier's size by one counts it here too.
function rp.session_size(x)
  x.size = x.size or redis.call('HLEN', x.base .. ':post')
  return x.size
end

-- One entry more or one fewer in a tier.
function rp.session_grow(x, tier, by)
  if rawget(x.sizes, tier) then x.sizes[tier] = x.sizes[tier] + by end
  if x.size then x.size = x.size + by end
end

-- The bound in force, read before anything changes: the capacity, or the size while a smaller capacity is not reached.
function rp.bound(x)
  x.bound = x.bound or math.max(x.head.capacity, rp.session_size(x))
  return x.bound
end

function rp.session_count(x, name)
  x.counts[name] = (x.counts[name] or 0) + 1
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

-- While a smaller capacity is not reached, `over` says down to which size the namespace has come.
local function note_excess(x)
  local size = rp.session_size(x)
  if size > x.bound then rp.fail('RP_ERR_INVARIANT', size .. ' entries are more than ' .. x.bound) end
  if size > x.head.capacity then
    redis.call('HSET', x.base, 'over', size)
  elseif x.over then
    redis.call('HDEL', x.base, 'over')
  end
end

-- Checks the capacity where the size may have changed, and writes what has changed.
function rp.session_end(x)
  if x.bound then note_excess(x) end
  local packed = pack_state(x.s)
  if not x.packed then
    redis.call('HSET', x.base, 'state', packed, 'layout', rp.LAYOUT)
  elseif packed ~= x.packed then
    redis.call('HSET', x.base, 'state', packed)
  end
  for id, entry in pairs(x.entries) do
    if entry and entry.changed then rp.record_set(x.base, id, entry.r) end
  end
  for name, by in pairs(x.counts) do rp.count(x.base, name, by) end
end
