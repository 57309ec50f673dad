--- @fragment base
--- @summary The base hash: policy version, pause flag, the policies' parameters.
--- @include args
--- @include config

-- How keys and values of a namespace are written (redis/keys.md). Entries in another layout are not read: they are dropped,
-- all at once, by the first call that writes. Their answers end by themselves.
local LAYOUT = '2'
rp.LAYOUT = LAYOUT
local OLD = { 'post', 't:m', 't:p', 't:r', 'x', 'strata', 'vd', 'vc', 'gate', 'door', 'gh:arc:b1', 'gh:arc:b2', 'seen:new', 'seen:old' }

local function drop_old(base)
  if type(redis.pcall('HSET', base, 'layout', LAYOUT)) == 'table' then
    rp.fail('RP_ERR_LAYOUT', 'the entries were written by another version; the next call that writes drops them')
  end
  for _, stratum in ipairs(redis.call('HKEYS', base .. ':strata')) do
    redis.call('UNLINK', base .. ':v:' .. stratum, base .. ':w:' .. stratum)
  end
  for _, name in ipairs(OLD) do redis.call('UNLINK', base .. ':' .. name) end
  redis.call('HDEL', base, 'state', 'over')
end

-- Everything that the hot path needs of `rp:{ns}` in one read. Absent fields have the defaults of redis/keys.md.
function rp.head(base)
  rp.whole_slot(base)
  local f = redis.call('HMGET', base, 'version', 'paused', 'config', 'capacity', 'state', 'over', 'purges', 'snapshot', 'layout')
  if f[5] and f[9] ~= LAYOUT then
    drop_old(base)
    f[5], f[6] = false, false
  end
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
