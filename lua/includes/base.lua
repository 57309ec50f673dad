--- @fragment base
--- @summary The base hash: policy version, pause flag, the policies' parameters.
--- @include args
--- @include config

-- Everything that the hot path needs of `rp:{ns}` in one read. Absent fields have the defaults of redis/keys.md.
function rp.head(base)
  rp.whole_slot(base)
  local f = redis.call('HMGET', base, 'version', 'paused', 'config', 'capacity', 'state', 'over', 'purges', 'snapshot')
  local config = rp.config(f[3])
  return {
    version = tonumber(f[1] or '0'),
    paused = f[2] == '1',
    config = config,
    -- `install` may have set another capacity than the policy.
    capacity = f[4] and tonumber(f[4]) or config.capacity,
    -- Purges so far.
    purges = tonumber(f[7] or '0'),
    -- For `rp.session`.
    state = f[5],
    over = f[6],
    -- Version of what was learned; 0: nothing.
    snapshot = tonumber(f[8] or '0'),
  }
end

-- The policy JSON when the caller holds another version ('' = none stored), else false.
function rp.policy_news(base, head, known)
  if head.version == known then return false end
  return redis.call('HGET', base, 'policy') or ''
end

function rp.count(base, name, by)
  redis.call('HINCRBY', base .. ':st', name, by or 1)
end
