--- @op rp_explain
--- @summary What is known of a request (by its x-request-id) or of an entry (by its id or its exact key).
--- @usage REQUEST_OR_ENTRY_OR_KEY
--- @returns The decision's record, then the entry that it served or looked at.
--- @flags no-writes
--- @include words
--- @include describe
--- @include exact_keys
local function rp_explain(keys, args)
  local base, id, lines = rp.base_key(keys), args[1], {}
  if not id then rp.fail('RP_ERR_ARGUMENT', 'which request, entry or exact key?') end
  local function add_entry(entry)
    local fields = rp.describe(base, entry)
    if fields then
      for _, line in ipairs(rp.lines(fields)) do lines[#lines + 1] = '  ' .. line end
      return
    end
    local note = redis.call('HGET', base .. ':q', 'id:' .. entry)
    if not note then
      lines[#lines + 1] = '  no entry ' .. entry
      return
    end
    note = cjson.decode(note)
    lines[#lines + 1] = '  out of service since ' .. rp.iso(note.atMs) .. ': ' .. note.reason
  end
  local d = redis.call('HMGET', base .. ':d:' .. id, 'record', 'entry', 'conversation', 'user', 'served')
  if not d[1] and not d[5] then
    lines[1] = 'no decision of a request ' .. id .. '; as an entry:'
    add_entry(rp.exact_owner(base, id) or id)
    return lines
  end
  lines[#lines + 1] = 'request ' .. id .. (d[5] and (' was answered with entry ' .. d[5]) or ' was not answered from the cache')
  if d[3] and d[3] ~= '' then lines[#lines + 1] = 'conversation: ' .. d[3] end
  lines[#lines + 1] = 'record: ' .. (d[1] or 'not written yet')
  local entry = d[5] or d[2]
  if entry and entry ~= '' then
    lines[#lines + 1] = 'entry:'
    add_entry(entry)
  end
  return lines
end
