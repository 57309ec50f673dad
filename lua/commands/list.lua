--- @command list
--- @summary One step of a walk over the entries: ids with the step of their insertion.
--- @key base
--- @arg cursor text '0' at first.
--- @arg limit int 1..1000 How many to look at.
--- @status ok more
--- @reply cursor text Where to go on.
--- @reply entries rows(id:text inserted:num) Ids and steps.
--- @returns `more` until every entry was seen.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
--- @include record
local function list(keys, args)
  local a = rp.read(ARGS, args)
  local page = redis.call('HSCAN', keys[1] .. ':post', a.cursor, 'COUNT', a.limit)
  local rows = {}
  for i = 1, #page[2], 2 do
    rows[#rows + 1] = { page[2][i], rp.exact_number(rp.inserted_seq(page[2][i + 1])) }
  end
  return { page[1] == '0' and rp.S.ok or rp.S.more, page[1], rows }
end
