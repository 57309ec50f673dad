--- @op rp_trim
--- @summary Removes entries above the capacity, at most 8 a call.
--- @returns How many are left to remove.
--- @flags allow-oom
--- @include words
--- @include install
local function rp_trim(keys)
  local base = rp.base_key(keys)
  local x = rp.session(base, rp.head(base))
  local evicted = rp.trim(x, 8, x.s.step % 2147483648)
  rp.session_end(x)
  local excess = rp.excess(x)
  return { 'removed ' .. #evicted, excess > 0 and (excess .. ' more to remove or to demote: repeat') or 'done' }
end
