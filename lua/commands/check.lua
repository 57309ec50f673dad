--- @command check
--- @summary One step of a walk over a namespace that reports every broken invariant.
--- @key base
--- @arg cursor text 'start' at first.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg limit int 1..1000 How many members to look at.
--- @status ok more
--- @reply cursor text Where to go on.
--- @reply problems list Broken invariants, in words.
--- @returns `more` until everything was looked at.
--- @flags no-writes
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include check
local function check(keys, args)
  local a = rp.read(ARGS, args)
  local cursor, problems = rp.check(keys[1], a.cursor, a.nowMs, a.limit)
  return { cursor == 'end' and rp.S.ok or rp.S.more, cursor, problems }
end
