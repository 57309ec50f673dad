--- @command purge_entries
--- @summary One step of a purge: looks at some entries and removes those that match every given member.
--- @key base
--- @arg cursor text '0' at first.
--- @arg entryId name Only this entry.
--- @arg exactKey name Only entries under this exact key.
--- @arg tag text Only entries with this tag.
--- @arg model text Only entries of this model.
--- @arg conversation name Only entries of this conversation.
--- @arg user name Only entries of this end user.
--- @arg olderThanMs int -1..9e15 Only entries at least this old; -1 any.
--- @arg dryRun bool Only tell.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg token id Names this purge: its ids are kept for `purge_keys`.
--- @arg limit int 1..1000 How many entries to look at.
--- @status ok more
--- @reply cursor text Where to go on.
--- @reply matched list Ids that matched.
--- @returns `more` until every entry was looked at.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include purge
local function purge_entries(keys, args)
  rp.head(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  if not a.dryRun and a.cursor == '0' then rp.purge_begins(base) end
  local matched = {}
  local cursor = rp.purge_page(base, a, rp.PURGE_REMOVALS, function(id) matched[#matched + 1] = id end)
  if not a.dryRun and #matched > 0 then redis.call('HINCRBY', base .. ':st', 'purged', #matched) end
  return { cursor == '0' and rp.S.ok or rp.S.more, cursor, matched }
end
