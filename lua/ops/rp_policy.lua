--- @op rp_policy
--- @summary Shows the policy in force, or sets it (checked; nothing changes when it is not valid).
--- @usage [JSON]
--- @returns The policy, and the parameters that the functions take from it.
--- @include words
--- @include policy_switch
local function rp_policy(keys, args)
  local base, lines = rp.base_key(keys), {}
  if args[1] then
    local version, excess = rp.policy_set(base, args[1])
    lines[1] = 'set; version ' .. version
    if excess > 0 then
      lines[2] = excess .. ' entries are above the new bounds: FCALL rp_trim 1 ' .. base .. ' until it says done'
    end
  end
  local head = rp.head(base)
  local texts = redis.call('HMGET', base, 'policy', 'defaults', 'handed')
  lines[#lines + 1] = 'version: ' .. head.version .. (head.paused and ' (paused)' or '')
  lines[#lines + 1] = 'stored: ' .. (texts[1] or 'none')
  lines[#lines + 1] = 'configured: ' .. (texts[2] or 'no gateway has told yet')
  if texts[3] then lines[#lines + 1] = 'handed over: the ghosts put ' .. texts[3] .. ' in place; a stored eviction ends it' end
  local parameters = {}
  local function text(value) return type(value) == 'number' and string.format('%.10g', value) or value end
  for name, value in pairs(head.config) do
    if type(value) == 'table' then
      for inner, v in pairs(value) do parameters[#parameters + 1] = name .. '.' .. inner .. ' = ' .. text(v) end
    elseif name ~= 'capacity' then
      parameters[#parameters + 1] = name .. ' = ' .. text(value)
    end
  end
  table.sort(parameters)
  lines[#lines + 1] = 'capacity = ' .. string.format('%.0f', head.capacity)
  for _, line in ipairs(parameters) do lines[#lines + 1] = line end
  return lines
end
