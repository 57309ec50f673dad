--- @op rp_quarantine
--- @summary Takes an entry out of service at once, on all replicas, and refuses its answer for 30 days.
--- @usage ENTRY [REASON]
--- @returns Whether it was there.
--- @flags allow-oom
--- @include words
--- @include quarantine
local function rp_quarantine(keys, args)
  local base = rp.base_key(keys)
  if not args[1] then rp.fail('RP_ERR_ARGUMENT', 'which entry?') end
  local done = rp.quarantine(base, args[1], args[2] or 'operator', rp.now_ms())
  return { (done and 'out of service: ' or 'no entry ') .. args[1] }
end
