--- @command plan_near
--- @summary The entries that lie nearest to some entries, each in its own stratum.
--- @key base
--- @arg count int 1..64 How many of each, itself included.
--- @arg ids rest Entry ids, at most 16.
--- @status ok
--- @reply pairs? rows(id:text other:text similarity:num) Most similar first for each.
--- @returns Pairs; an entry that is gone has none.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range, or there are too many ids.
--- @include base
--- @include record
--- @include vectors
local function plan_near(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  rp.whole_slot(base)
  if #a.ids > 16 then rp.fail('RP_ERR_ARGUMENT', 'at most 16 ids') end
  local rows = {}
  for _, id in ipairs(a.ids) do
    local r = rp.record_get(base, id)
    local found = r and r.stratum ~= '' and rp.vectors_around(base, r.stratum, id, r.inserted_seq, a.count) or {}
    for i = 1, #found, 2 do
      local other, seq = rp.member_parts(found[i])
      local record = redis.call('HGET', base .. ':post', other)
      if record and rp.inserted_seq(record) == seq then
        rows[#rows + 1] = { id, other, rp.exact_number(2 * tonumber(found[i + 1]) - 1) }
      end
    end
  end
  return { rp.S.ok, rp.some(rows) }
end
