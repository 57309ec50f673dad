--- @op rp_purge
--- @summary Tells which entries match, and with the word run removes them and all that names them; all filters must match.
--- @usage entry|key|tag|model|conversation|user VALUE … older 7d … all [run]
--- @returns What matched so far; a large namespace takes several equal calls.
--- @flags allow-oom
--- @include words
--- @include purge_walk
local function rp_purge(keys, args)
  local base = rp.base_key(keys)
  local filter, run = rp.purge_filter(args)
  local state = rp.purge_step(base, filter, run, rp.now_ms())
  local lines = {
    (run and 'removed ' or 'would remove ') .. state.matched .. ' entries' .. (run and ', and ' .. state.keys .. ' other keys' or ''),
  }
  table.sort(state.sample)
  for _, id in ipairs(state.sample) do lines[#lines + 1] = '  ' .. id end
  if state.done then
    lines[#lines + 1] = run and 'done' or 'done; nothing was removed: add the word run'
  else
    lines[#lines + 1] = 'not finished (' .. state.looked .. ' entries looked at): repeat the same command'
  end
  return lines
end
