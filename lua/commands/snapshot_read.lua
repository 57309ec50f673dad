--- @command snapshot_read
--- @summary What gateways decide by in budget mode.
--- @key base
--- @arg held int 0..9e15 Version that the caller holds; 0 = none.
--- @arg heldModel int 0..9e15 Version at which the model came that the caller holds; 0 = none.
--- @status ok absent
--- @reply version? int The version in force.
--- @reply fields? text The snapshot without its model, JSON; '' when what was learned is void.
--- @reply modelVersion? int Version at which the model came; 0 = there is none.
--- @reply model? text The model, when the caller's is another one.
--- @returns `absent` when there is none, or when the caller holds it.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
local function snapshot_read(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local f = redis.call('HMGET', base .. ':cal', 'version', 'fields', 'model')
  local version, model = tonumber(f[1] or '0'), tonumber(f[3] or '0')
  if version == 0 or version == a.held then return { rp.S.absent } end
  local text = model ~= 0 and model ~= a.heldModel and redis.call('GET', base .. ':model')
  return { rp.S.ok, version, f[2] or '', model, text }
end
