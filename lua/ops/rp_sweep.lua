--- @op rp_sweep
--- @summary Removes expired and orphaned state, a bounded part a call (the workers do it by themselves).
--- @returns What was looked at and removed.
--- @flags allow-oom
--- @include words
--- @include sweep
local function rp_sweep(keys)
  local base, now = rp.base_key(keys), rp.now_ms()
  local scanned, removed, done = 0, 0, false
  for _ = 1, 16 do
    local more_scanned, more_removed
    done, more_scanned, more_removed = rp.sweep(base, now, 100)
    scanned, removed = scanned + more_scanned, removed + more_removed
    if done or removed >= 32 or scanned >= 400 then break end
  end
  return { 'looked at ' .. scanned .. ', removed ' .. removed, done and 'a round is done' or 'not finished: repeat' }
end
