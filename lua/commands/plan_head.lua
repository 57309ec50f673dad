--- @command plan_head
--- @summary Where the planned tier stands.
--- @key base
--- @status ok
--- @reply version int Version of the planned tier in force; 0: none was installed.
--- @reply slots int How many entries it may have.
--- @reply entries int Live entries.
--- @reply admitted int Entries that were ever stored.
--- @reply steps num Outcomes that were ever counted.
--- @reply note text What the last recompute noted; '' at first.
--- @returns Enough to see whether it is worth choosing anew.
--- @flags no-writes
--- @include base
--- @include session
local function plan_head(keys)
  local base = keys[1]
  local head = rp.head(base)
  local x = rp.session(base, head)
  local slots = rp.slots(x.config, head.capacity)
  local admitted = tonumber(redis.call('HGET', base .. ':st', 'admitted') or '0')
  local note = redis.call('HGET', base .. ':gate', 'plan') or ''
  return {
    rp.S.ok, x.s.planned_version, slots, rp.session_size(x), admitted, rp.exact_number(x.s.step), note,
  }
end
