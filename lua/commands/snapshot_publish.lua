--- @command snapshot_publish
--- @summary Puts what was learned in force, by compare-and-set on the version.
--- @key base
--- @arg expected int 0..9e15 Nothing happens unless this version is in force; 0 = none.
--- @arg epoch int 0..9e15 Nothing happens unless the labels are still those of this epoch.
--- @arg position name The last event that it was learned from.
--- @arg fields text The snapshot without its model, JSON.
--- @arg open bool The breaker is open.
--- @arg threshold num -1..1 Largest score that is served; -1 = nothing.
--- @arg model text The model; '' = the one in force stays.
--- @arg axes text The axes; '' = those in force stay.
--- @status ok conflict
--- @reply version int The version in force now.
--- @returns `conflict` when another worker was faster or labels were removed; nothing changed.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
local function snapshot_publish(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  rp.whole_slot(base)
  local key = base .. ':cal'
  local now = redis.call('HMGET', key, 'version', 'epoch')
  local version = tonumber(now[1] or '0')
  if version ~= a.expected or tonumber(now[2] or '0') ~= a.epoch then return { rp.S.conflict, version } end
  version = version + 1
  redis.call('HSET', key, 'version', version, 'epoch', a.epoch, 'position', a.position, 'fields', a.fields,
    'open', a.open and 1 or 0, 'threshold', a.threshold >= 0 and string.format('%.17g', a.threshold) or '')
  if a.model ~= '' then
    redis.call('SET', base .. ':model', a.model)
    redis.call('HSET', key, 'model', version)
  end
  if a.axes ~= '' then redis.call('SET', base .. ':axes', a.axes) end
  redis.call('HSET', base, 'snapshot', version)
  return { rp.S.ok, version }
end
