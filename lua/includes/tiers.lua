--- @fragment tiers
--- @summary Places in the three tiers: planned `t:m` by rank, protected `t:p` by importance, recency `t:r` by segment and sequence.
--- @include session

-- Proven entries (used since their insertion) stand behind all others in the recency order.
local PROVEN = 4503599627370496
rp.PROVEN = PROVEN

local function segment(r)
  return r.uses > 0 and PROVEN or 0
end

-- The live entry of an id with its record; nil when there is none. Where it stands is found by `rp.locate`.
function rp.live(x, id)
  local known = x.entries[id]
  if known ~= nil then return known or nil end
  local r = rp.record_get(x.base, id)
  x.entries[id] = r and { id = id, r = r } or false
  return x.entries[id] or nil
end

-- Finds the entry's tier and its key there.
function rp.locate(x, entry)
  if entry.tier then return entry end
  for _, tier in ipairs({ 'r', 'p', 'm' }) do
    local key = redis.call('ZSCORE', x.base .. ':t:' .. tier, entry.id)
    if key then
      entry.tier, entry.key = tier, tonumber(key)
      return entry
    end
  end
  rp.fail('RP_ERR_INVARIANT', 'entry ' .. entry.id .. ' is in no tier')
end

local function put(x, entry, tier, key)
  entry.tier, entry.key = tier, key
  redis.call('ZADD', x.base .. ':t:' .. tier, rp.exact_number(key), entry.id)
end

function rp.move(x, entry, tier, key)
  rp.locate(x, entry)
  if entry.tier ~= tier then
    local from, to = x.sizes[entry.tier], x.sizes[tier]
    redis.call('ZREM', x.base .. ':t:' .. entry.tier, entry.id)
    x.sizes[entry.tier], x.sizes[tier] = from - 1, to + 1
  end
  put(x, entry, tier, key)
end

-- Into the recency tier, as most recent.
function rp.move_to_recency(x, entry)
  rp.move(x, entry, 'r', rp.next_seq(x) + segment(entry.r))
end

-- After a use: where its record now belongs in its own tier. `seq` = the touch, or nil to keep the place.
function rp.reposition(x, entry, seq)
  if seq and not entry.tier then
    -- Most entries are in the recency tier, and a touch always changes the key there: no need to look first.
    local key = seq + segment(entry.r)
    if redis.call('ZADD', x.base .. ':t:r', 'XX', 'CH', rp.exact_number(key), entry.id) == 1 then
      entry.tier, entry.key = 'r', key
      return
    end
  end
  local key = rp.locate(x, entry).key
  if entry.tier == 'p' then
    key = entry.r.importance
  elseif entry.tier == 'r' then
    key = (seq or key % PROVEN) + segment(entry.r)
  end
  if key ~= entry.key then put(x, entry, entry.tier, key) end
end

function rp.tier_insert(x, id, r, tier)
  local entry = { id = id, r = r, changed = true }
  x.entries[id] = entry
  rp.session_grow(x, tier, 1)
  put(x, entry, tier, tier == 'p' and r.importance or r.inserted_seq + segment(r))
end

-- Entries of the recency tier that are proven.
function rp.proven_count(x)
  return x.sizes.r - redis.call('ZCOUNT', x.base .. ':t:r', '-inf', '(' .. rp.exact_number(PROVEN))
end

function rp.id_at(x, tier, rank)
  return redis.call('ZRANGE', x.base .. ':t:' .. tier, rank, rank)[1]
end
