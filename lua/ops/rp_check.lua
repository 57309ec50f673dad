--- @op rp_check
--- @summary Walks the namespace and reports every broken invariant; a large one in several calls.
--- @usage [CURSOR]
--- @returns `clean`, or one line a problem; or where to go on.
--- @flags no-writes
--- @include words
--- @include check
local function rp_check(keys, args)
  local base, now = rp.base_key(keys), rp.now_ms()
  local cursor, lines = args[1] or 'start', {}
  -- A small namespace in one call, a large one in steps that block nobody.
  local most = redis.call('HLEN', base .. ':post') <= 100 and 10 or 1
  for _ = 1, most do
    local problems
    cursor, problems = rp.check(base, string.gsub(cursor, '_', ' ', 1), now, 100)
    for _, problem in ipairs(problems) do lines[#lines + 1] = problem end
    if cursor == 'end' then break end
  end
  if #lines == 0 then lines[1] = 'clean' end
  if cursor ~= 'end' then
    lines[#lines + 1] = 'not finished: FCALL_RO rp_check 1 ' .. base .. ' ' .. string.gsub(cursor, ' ', '_', 1)
  end
  return lines
end
