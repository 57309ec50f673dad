--- @fragment tiers
--- @summary Places in the three tiers: planned `t:m` by rank, protected `t:p` by importance, recency `t:r` by segment and sequence.
--- @include session

-- Proven entries (used since their insertion) stand behind all others in the recency order.
local PROVEN = 4503599627370496
rp.PROVEN = PROVEN

local function segment(r)
  return r.uses > 0 and PROVEN or 0
end

-- The live entry of an id with its record, its tier and its key there; nil when there is none.
function rp.live(x, id)
  local known = x.entries[id]
  if known ~= nil then return known or nil end
  local r = rp.record_get(x.base, id)
  if not r then
    x.entries[id] = false
    return nil
  end
  local entry = { id = id, r = r }
  for _, tier in ipairs({ 'r', 'p', 'm' }) do
    local key = redis.call('ZSCORE', x.base .. ':t:' .. tier, id)
    if key then
      entry.tier, entry.key = tier, tonumber(key)
      break
    end
  end
  if not entry.tier then rp.fail('RP_ERR_INVARIANT', 'entry ' .. id .. ' is in no tier') end
  x.entries[id] = entry
  return entry
end

local function put(x, entry, tier, key)
  entry.tier, entry.key = tier, key
  redis.call('ZADD', x.base .. ':t:' .. tier, rp.exact_number(key), entry.id)
end

function rp.move(x, entry, tier, key)
  if entry.tier ~= tier then
    redis.call('ZREM', x.base .. ':t:' .. entry.tier, entry.id)
    x.sizes[entry.tier] = x.sizes[entry.tier] - 1
    x.sizes[tier] = x.sizes[tier] + 1
  end
  put(x, entry, tier, key)
end

-- Into the recency tier, as most recent.
function rp.move_to_recency(x, entry)
  rp.move(x, entry, 'r', rp.next_seq(x) + segment(entry.r))
end

-- After a use: where its record now belongs in its own tier. `seq` = the touch, or nil to keep the place.
function rp.reposition(x, entry, seq)
  local key = entry.key
  if entry.tier == 'p' then
    key = entry.r.importance
  elseif entry.tier == 'r' then
    key = (seq or entry.key % PROVEN) + segment(entry.r)
  end
  if key ~= entry.key then rp.move(x, entry, entry.tier, key) end
end

function rp.tier_insert(x, id, r, tier)
  local entry = { id = id, r = r, changed = true }
  x.entries[id] = entry
  x.sizes[tier] = x.sizes[tier] + 1
  put(x, entry, tier, tier == 'p' and r.importance or r.inserted_seq + segment(r))
end

-- Entries of the recency tier that are proven.
function rp.proven_count(x)
  return x.sizes.r - redis.call('ZCOUNT', x.base .. ':t:r', '-inf', '(' .. rp.exact_number(PROVEN))
end

function rp.id_at(x, tier, rank)
  return redis.call('ZRANGE', x.base .. ':t:' .. tier, rank, rank)[1]
end
