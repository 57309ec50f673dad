--- @command sweep
--- @summary One step of the sweep: removes expired entries and orphaned members, where the last step stopped.
--- @key base
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg limit int 1..1000 How many members to look at.
--- @status ok more
--- @reply scanned int Members that were looked at.
--- @reply removed int Members that were removed.
--- @returns `ok` when a whole round is done, `more` otherwise.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include sweep
local function sweep(keys, args)
  rp.head(keys[1])
  local a = rp.read(ARGS, args)
  local done, scanned, removed = rp.sweep(keys[1], a.nowMs, a.limit)
  if removed > 0 then redis.call('HINCRBY', keys[1] .. ':st', 'swept', removed) end
  return { done and rp.S.ok or rp.S.more, scanned, removed }
end
