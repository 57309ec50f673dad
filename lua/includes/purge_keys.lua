--- @fragment purge_keys
--- @summary The second pass of a purge: decisions, flights and what the memory of requests says of what was purged.
--- @include purge
--- @include memo
--- @include risk

-- Looks at `limit` keys of the server. `a`: token, conversation, user, all. Returns the next cursor and how many went.
function rp.purge_keys(base, a, cursor, limit)
  local purged = base .. ':purge:' .. a.token
  local function named(id)
    return id and id ~= '' and redis.call('SISMEMBER', purged, id) == 1
  end

  -- Whether a decision looked at something that was purged.
  local function considered(record)
    for id in string.gmatch(record, '"id":"([%w_%-]+)"') do
      if named(id) then return true end
    end
    return false
  end

  -- By kind of key: whether it names something that was purged. Entries and their indexes left in the first pass, one
  -- by one; they are not touched here, so that an entry that came in meanwhile stays whole.
  local kinds = {
    d = function(key)
      local f = redis.call('HMGET', key, 'entry', 'conversation', 'user', 'made', 'record')
      return named(f[1]) or (a.conversation ~= '' and f[2] == a.conversation) or (a.user ~= '' and f[3] == a.user)
        or named(f[4]) or considered(f[5] or '')
    end,
    f = function(key) return named(redis.call('HGET', key, 'entry')) end,
    fs = function() return false end,
    c = function() return false end,
    ch = function() return false end,
  }
  local removed = 0
  if cursor == '0' and a.conversation ~= '' and rp.conversation_close(base, a.conversation) then removed = 1 end
  if cursor == '0' and a.all then
    removed = removed + redis.call('UNLINK', base .. ':seen:new', base .. ':seen:old')
    removed = removed + redis.call('UNLINK', base .. ':q', base .. ':ev', base .. ':gh:state')
    local labels = redis.call('UNLINK', base .. ':lab', base .. ':axes')
    if labels > 0 or redis.call('EXISTS', base .. ':cal') == 1 then rp.risk_reset(base) end
    removed = removed + labels
  end
  -- Labels come first, a page a call.
  local labels = cursor == '0' and '' or string.match(cursor, '^label (.+)$')
  if labels then
    local personal = a.conversation ~= '' or a.user ~= ''
    local rest, gone = rp.risk_purge(base, labels, function(conversation, entry, user, vectors)
      if a.conversation ~= '' and conversation == a.conversation then return true end
      if a.user ~= '' and user == a.user then return true end
      -- What was learned from an entry that is only outdated stays, unless its text can be guessed from a vector.
      return (personal or vectors) and named(entry)
    end)
    removed = removed + gone
    if rest ~= '' then return 'label ' .. rest, removed end
    cursor = a.all and '0' or 'memo new 0'
  end
  -- Then the memory of requests, a page a call.
  local memo = string.match(cursor, '^memo (.+)$')
  if memo then
    local rest = rp.memo_forget(base, memo, named)
    if rest then return 'memo ' .. rest, removed end
    cursor = '0'
  end
  local page = redis.call('SCAN', cursor, 'MATCH', rp.key_pattern(base), 'COUNT', limit)
  for _, key in ipairs(page[2]) do
    local kind, rest = string.match(string.sub(key, #base + 2), '^(%a+):(.*)$')
    if kinds[kind] and (a.all or kinds[kind](key)) then
      removed = removed + redis.call('DEL', key)
      if kind == 'f' then redis.call('DEL', base .. ':fs:' .. rest) end
    end
  end
  if page[1] == '0' then redis.call('UNLINK', purged) end
  return page[1], removed
end
