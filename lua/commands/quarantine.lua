--- @command quarantine
--- @summary Takes an entry out of service at once and refuses its id and its answer from now on.
--- @key base
--- @arg entryId id The entry.
--- @arg reason text Why, for operators.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @status ok absent
--- @returns `absent` when there is no such entry; a repeated call on a quarantined entry is `ok`.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
--- @include quarantine
local function quarantine(keys, args)
  rp.head(keys[1])
  local base, a = keys[1], rp.read(ARGS, args)
  return { rp.quarantine(base, a.entryId, a.reason, a.nowMs) and rp.S.ok or rp.S.absent }
end
