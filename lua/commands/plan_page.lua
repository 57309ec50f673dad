--- @command plan_page
--- @summary One step of a walk over the entries that may answer similar requests, with what planning needs of them.
--- @key base
--- @arg cursor text '0' at first.
--- @arg limit int 1..200 How many to look at.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @status ok more
--- @reply cursor text Where to go on.
--- @reply entries? rows(id:text seq:num uses:num protected:bool cost:num tokens:num dossier:bytes) Live, with a dossier.
--- @returns `more` until every entry was seen; one may be seen twice.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include about
--- @include record
local function plan_page(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  rp.whole_slot(base)
  local page = redis.call('HSCAN', base .. ':post', a.cursor, 'COUNT', a.limit)
  local rows = {}
  for i = 1, #page[2], 2 do
    local id, r = page[2][i], rp.record_unpack(page[2][i + 1])
    local whole = r.stratum ~= '' and redis.call('GET', base .. ':e:' .. id)
    local d = whole and rp.about_unpack(whole)
    if d and d.seq == r.inserted_seq and d.semantic_until > a.nowMs and d.dossier_length > 0 then
      rows[#rows + 1] = {
        id, rp.exact_number(r.inserted_seq), rp.exact_number(r.uses), redis.call('ZSCORE', base .. ':t:p', id) and 1 or 0,
        rp.exact_number(d.cost), rp.exact_number(d.prompt_tokens + d.completion_tokens),
        string.sub(whole, d.length + 1, d.length + d.dossier_length),
      }
    end
  end
  return { page[1] == '0' and rp.S.ok or rp.S.more, page[1], rp.some(rows) }
end
