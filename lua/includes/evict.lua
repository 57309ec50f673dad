--- @fragment evict
--- @summary Chooses and removes victims, by the policy; victims come from the recency tier only.
--- @include arc
--- @include scores
--- @include value_tier
--- @include remove

local BLOCK = 8
local PROVEN = rp.PROVEN

-- Most entries that one eviction scores, and that one call scores for several.
local MOST_SCORED, SCORED_A_CALL = 256, 1024

local function candidate_limit(config)
  return config.candidates == 0 and MOST_SCORED or math.min(MOST_SCORED, config.candidates)
end

-- Most evictions of one call.
function rp.most_evictions(config)
  return math.floor(SCORED_A_CALL / candidate_limit(config))
end

-- Ids among which a scored policy chooses: all, or blocks of eight consecutive ranks at random.
local function candidates(x, uniform)
  local key, limit, n = x.base .. ':t:r', candidate_limit(x.config), x.sizes.r
  if n <= limit then return redis.call('ZRANGE', key, 0, -1) end
  local chosen, seen = {}, {}
  for _ = 1, limit / BLOCK do
    local first = math.floor(uniform() * (n - BLOCK + 1))
    for _, id in ipairs(redis.call('ZRANGE', key, first, first + BLOCK - 1)) do
      if not seen[id] then
        seen[id] = true
        chosen[#chosen + 1] = id
      end
    end
  end
  return chosen
end

-- Packed records of ids, as this call has them (unpack has a limit: in chunks).
local function records(x, ids)
  local list = {}
  for first = 1, #ids, 1000 do
    local last = math.min(first + 999, #ids)
    local packed = redis.call('HMGET', x.base .. ':post', unpack(ids, first, last))
    for i = first, last do
      local touched = x.entries[ids[i]]
      list[i] = touched and touched.changed and rp.record_pack(touched.r) or packed[i - first + 1]
    end
  end
  return list
end

-- Candidates with their packed records and their scores; the lowest is the next to go.
function rp.scored_candidates(x, name, uniform, draw_beta)
  local ids = candidates(x, uniform)
  local list, score, values = records(x, ids), rp.scores[name](x, draw_beta), {}
  for i = 1, #ids do values[i] = score(list[i]) end
  return ids, list, values
end

local function lowest(x, name, uniform, draw_beta)
  local ids, list, values = rp.scored_candidates(x, name, uniform, draw_beta)
  local best
  for i = 1, #ids do
    if not best or values[i] < values[best]
      or (values[i] == values[best] and rp.inserted_seq(list[i]) < rp.inserted_seq(list[best])) then
      best = i
    end
  end
  if not best then rp.fail('RP_ERR_INVARIANT', 'the recency tier is empty') end
  if name == 'greedy_dual' or name == 'greedy_dual_frequency' then x.s.clock = math.max(x.s.clock, values[best]) end
  return rp.live(x, ids[best])
end

-- The oldest of both segments by sequence number.
local function oldest(x)
  local proven_at = x.sizes.r - rp.proven_count(x)
  local first = redis.call('ZRANGE', x.base .. ':t:r', 0, 0, 'WITHSCORES')
  local proven = redis.call('ZRANGE', x.base .. ':t:r', proven_at, proven_at, 'WITHSCORES')
  if proven[1] and proven_at > 0 and tonumber(proven[2]) - PROVEN < tonumber(first[2]) then first = proven end
  if not first[1] then rp.fail('RP_ERR_INVARIANT', 'the recency tier is empty') end
  return rp.live(x, first[1])
end

-- The order of leaving under `oldest`, or from `first` on within one segment under `arc`: id, sequence, segment.
function rp.oldest_first(x, first, count, one_segment)
  local key, rows = x.base .. ':t:r', {}
  local function add(from)
    local found = redis.call('ZRANGE', key, from, from + count - 1, 'WITHSCORES')
    for i = 1, #found, 2 do
      local score = tonumber(found[i + 1])
      rows[found[i]] = { found[i], score % PROVEN, score >= PROVEN and 'proven' or 'probation' }
    end
  end
  add(first)
  if not one_segment then add(x.sizes.r - rp.proven_count(x)) end
  local order = {}
  for _, row in pairs(rows) do order[#order + 1] = row end
  table.sort(order, function(a, b) return a[2] < b[2] end)
  while #order > count do order[#order] = nil end
  return order
end

-- The next victim; it stays where it is.
local function choose_victim(x, uniform, draw_beta, offer)
  local how = rp.fragments[x.config.eviction].victim
  if how == 'oldest' then return oldest(x) end
  if how == 'arc' then return rp.arc_replace(x, offer or { hit = 'none' }) end
  return lowest(x, how, uniform, draw_beta)
end

function rp.evict_one(x, uniform, draw_beta, offer)
  -- While the protected tier is still above its slots, recency may be empty.
  if x.sizes.r == 0 and x.sizes.p > 0 then rp.demote_smallest(x) end
  local victim = choose_victim(x, uniform, draw_beta, offer)
  -- Sizes that are not known yet are read before the victim is gone.
  rp.session_size(x)
  rp.session_grow(x, 'r', -1)
  victim.tier = 'r'
  rp.remove(x.base, victim.id, victim)
  x.entries[victim.id] = false
  rp.session_count(x, 'evicted')
  return victim.id
end

-- One eviction by a seed; the generator is made only here, because most calls evict nobody.
function rp.evict_with(x, seed, offer)
  local uniform, draw_beta = rp.generator(seed)
  return rp.evict_one(x, uniform, draw_beta, offer)
end
