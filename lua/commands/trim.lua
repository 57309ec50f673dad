--- @command trim
--- @summary Removes entries above the capacity, at most 64 a call.
--- @key base
--- @status ok more
--- @reply evicted list Ids that left.
--- @returns `more` while entries are above the capacity.
--- @flags allow-oom
--- @include base
--- @include evict
local function trim(keys)
  local base = keys[1]
  local capacity = rp.head(base).capacity
  local evicted = rp.evict_to(base, capacity)
  if #evicted > 0 then redis.call('HINCRBY', base .. ':st', 'evicted', #evicted) end
  return { (#evicted > 0 and rp.size(base) > capacity) and rp.S.more or rp.S.ok, evicted }
end
