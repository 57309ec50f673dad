--- @command dossiers
--- @summary What scoring needs of some entries, and their answers when asked for.
--- @key base
--- @arg answers bool Whether the answers are wanted too.
--- @arg ids rest Entry ids, at most 64.
--- @status ok
--- @reply entries rows(id:text dossier:bytes answer:text) One a live entry, in the order asked.
--- @returns Dossiers; empty where an entry has none.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: too many ids.
--- @include args
--- @include about
local function dossiers(keys, args)
  rp.whole_slot(keys[1])
  local a = rp.read(ARGS, args)
  if #a.ids > 64 then rp.fail('RP_ERR_ARGUMENT', 'at most 64 ids') end
  local rows = {}
  for _, id in ipairs(a.ids) do
    local dossier, answer = rp.dossier_and_answer(keys[1], id)
    if dossier then rows[#rows + 1] = { id, dossier, a.answers and answer or '' } end
  end
  return { rp.S.ok, rp.some(rows) }
end
