--- @fragment doorkeeper
--- @summary Which representatives were offered lately, in four bytes each; the twin of libs/policy `admission/doorkeeper.ts`.

local MOST_TAGS = 1048576

local function buckets_of(config, capacity)
  local wanted = config.corroboration > 1 and capacity * config.doorkeeper_ratio or 1
  return math.max(1, math.ceil(math.min(wanted, MOST_TAGS) / 8))
end

-- Puts the tag at the front of its bucket of eight; true if it was in the bucket. Buckets are fields of a hash, so that
-- a namespace pays for those it uses only, not for its capacity.
local function note(key, buckets, text)
  local digest = redis.sha1hex(text)
  local tag = tonumber(string.sub(digest, 9, 16), 16)
  local packed = struct.pack('>I4', tag == 0 and 1 or tag)
  local field = tonumber(string.sub(digest, 1, 8), 16) % buckets
  local bucket = redis.call('HGET', key, field) or ''
  bucket = bucket .. string.rep('\0', 32 - #bucket)
  local at
  for i = 1, 29, 4 do
    if string.sub(bucket, i, i + 3) == packed then
      at = i
      break
    end
  end
  local last = at or 29
  redis.call('HSET', key, field, packed .. string.sub(bucket, 1, last - 1) .. string.sub(bucket, last + 4))
  return at ~= nil
end

-- Notes an offer and says whether an independent one was noted before; source 0 = not known, always independent.
function rp.doorkeeper_sight(base, config, capacity, representative, source)
  local key, buckets = base .. ':door', buckets_of(config, capacity)
  local known = note(key, buckets, representative)
  if source == 0 then return known end
  return not note(key, buckets, representative .. '|' .. string.format('%.0f', source)) and known
end
