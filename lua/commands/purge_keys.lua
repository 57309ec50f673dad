--- @command purge_keys
--- @summary One step of a purge's second pass: removes decisions and flights that name what was purged.
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
--- @include base
--- @include purge_keys
--- @include conversation
local function purge_keys(keys, args)
  rp.head(keys[1])
  local a = rp.read(ARGS, args)
  local cursor, removed = rp.purge_keys(keys[1], a, a.cursor, a.limit)
  return { cursor == '0' and rp.S.ok or rp.S.more, cursor, removed }
end
