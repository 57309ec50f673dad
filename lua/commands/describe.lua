--- @command describe
--- @summary What is known of some entries, without their answers.
--- @key base
--- @arg ids rest Entry ids, at most 200.
--- @status ok
--- @reply entries rows(fields:map) One a live entry, in the order asked.
--- @returns Names and values.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: too many ids.
--- @include args
--- @include describe
local function describe(keys, args)
  local ids = rp.read(ARGS, args).ids
  if #ids > 200 then rp.fail('RP_ERR_ARGUMENT', 'at most 200 ids') end
  local rows = {}
  for _, id in ipairs(ids) do
    local fields = rp.describe(keys[1], id)
    if fields then rows[#rows + 1] = { fields } end
  end
  return { rp.S.ok, rows }
end
