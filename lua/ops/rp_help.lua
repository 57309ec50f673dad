--- @op rp_help
--- @summary Lists the operators' functions.
--- @usage (no key)
--- @returns One line a function.
--- @flags no-writes
local function rp_help()
  local lines = { "Functions on one namespace; NS is its name. Reading ones also work as FCALL_RO, on replicas too.", '' }
  for _, op in ipairs(rp.HELP) do
    local keyless = string.find(op[2], '(no key)', 1, true)
    local key = keyless and '0' or "1 'rp:{NS}'"
    local usage = keyless and '' or op[2]
    lines[#lines + 1] = (op[3] and 'FCALL_RO ' or 'FCALL ') .. op[1] .. ' ' .. key .. (usage ~= '' and ' ' .. usage or '')
    lines[#lines + 1] = '    ' .. op[4]
  end
  return lines
end
