--- @fragment base
--- @summary The base hash: policy version, pause flag, capacity in force.
--- @include args

-- Everything that the hot path needs of `rp:{ns}` in one read. Absent fields have the defaults of redis/keys.md.
function rp.head(base)
  local f = redis.call('HMGET', base, 'version', 'paused', 'capacity', 'eviction')
  return {
    version = tonumber(f[1] or '0'),
    paused = f[2] == '1',
    capacity = tonumber(f[3] or '10000'),
    eviction = f[4] or 'lru',
  }
end

-- The policy JSON when the caller holds another version ('' = none stored), else false.
function rp.policy_news(base, head, known)
  if head.version == known then return false end
  return redis.call('HGET', base, 'policy') or ''
end

function rp.count(base, name)
  redis.call('HINCRBY', base .. ':st', name, 1)
end

-- The namespace's logical clock: decisions use steps, not wall time.
function rp.step(base)
  return redis.call('HINCRBY', base .. ':gate', 'step', 1)
end
