--- @fragment doorkeeper
--- @summary Which representatives were offered lately, in four bytes each; the twin of libs/policy `admission/doorkeeper.ts`.

local MOST_TAGS, BUCKET = 1048576, 64

local function buckets_of(config, capacity)
  local wanted = config.corroboration > 1 and capacity * config.doorkeeper_ratio or 1
  return math.max(1, math.ceil(math.min(wanted, MOST_TAGS) / BUCKET))
end

-- Puts the tag at the front of its bucket, which forgets its oldest; true if it was in the bucket. Buckets are fields of a
-- hash as long as what is in them, so that a namespace pays for the tags it has, not for its capacity.
local function note(key, buckets, text)
  local digest = redis.sha1hex(text)
  local tag = tonumber(string.sub(digest, 9, 16), 16)
  local packed = struct.pack('>I4', tag == 0 and 1 or tag)
  local field = tonumber(string.sub(digest, 1, 8), 16) % buckets
  local bucket = redis.call('HGET', key, field) or ''
  local at = string.find(bucket, packed, 1, true)
  while at and at % 4 ~= 1 do at = string.find(bucket, packed, at + 1, true) end
  if at then
    bucket = string.sub(bucket, 1, at - 1) .. string.sub(bucket, at + 4)
  else
    bucket = string.sub(bucket, 1, 4 * (BUCKET - 1))
  end
  redis.call('HSET', key, field, packed .. bucket)
  return at ~= nil
end

-- Notes an offer and says whether an independent one was noted before; source 0 = not known, always independent.
function rp.doorkeeper_sight(base, config, capacity, representative, source)
  local key, buckets = base .. ':door', buckets_of(config, capacity)
  local known = note(key, buckets, representative)
  if source == 0 then return known end
  return not note(key, buckets, representative .. '|' .. string.format('%.0f', source)) and known
end
