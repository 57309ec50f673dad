--- @command purge_keys
--- @summary One step of a purge's second pass: removes decisions, flights and idempotency keys that name what was purged.
--- @key base
--- @arg cursor text '0' at first.
--- @arg conversation name The conversation that was purged.
--- @arg user name The end user that was purged.
--- @arg all bool All decisions, flights, conversations and the register of refused answers too.
--- @arg token id The purge.
--- @arg limit int 1..10000 How many keys of the server to look at.
--- @status ok more
--- @reply cursor text Where to go on.
--- @reply removed int Keys that were removed.
--- @returns `more` until every key was looked at.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include purge
--- @include conversation
local function purge_keys(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local purged = base .. ':purge:' .. a.token
  local function named(id)
    return id and id ~= '' and redis.call('SISMEMBER', purged, id) == 1
  end

  -- By kind of key: whether it names something that was purged. Entries and their indexes left in the first pass, one
  -- by one; they are not touched here, so that an entry that came in meanwhile stays whole.
  local kinds = {
    d = function(key)
      local f = redis.call('HMGET', key, 'entry', 'conversation', 'user')
      return named(f[1]) or (a.conversation ~= '' and f[2] == a.conversation) or (a.user ~= '' and f[3] == a.user)
    end,
    f = function(key) return named(redis.call('HGET', key, 'entry')) end,
    seen = function(key) return named(redis.call('GET', key)) end,
    fs = function() return false end,
    c = function() return false end,
    ch = function() return false end,
  }
  local removed = 0
  if a.cursor == '0' and a.conversation ~= '' and rp.conversation_close(base, a.conversation) then removed = 1 end
  if a.cursor == '0' and a.all then removed = removed + redis.call('DEL', base .. ':q') end
  local page = redis.call('SCAN', a.cursor, 'MATCH', rp.key_pattern(base), 'COUNT', a.limit)
  for _, key in ipairs(page[2]) do
    local kind, rest = string.match(string.sub(key, #base + 2), '^(%a+):(.*)$')
    if kinds[kind] and (a.all or kinds[kind](key)) then
      removed = removed + redis.call('DEL', key)
      if kind == 'f' then redis.call('DEL', base .. ':fs:' .. rest) end
    end
  end
  if page[1] == '0' then redis.call('DEL', purged) end
  return { page[1] == '0' and rp.S.ok or rp.S.more, page[1], removed }
end
