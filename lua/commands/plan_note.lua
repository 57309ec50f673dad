--- @command plan_note
--- @summary Notes what a recompute was made of.
--- @key base
--- @arg note text JSON.
--- @status ok
--- @returns Nothing else.
--- @error RP_ERR_ARGUMENT: an argument is missing.
--- @include args
local function plan_note(keys, args)
  rp.whole_slot(keys[1])
  redis.call('HSET', keys[1] .. ':gate', 'plan', rp.read(ARGS, args).note)
  return { rp.S.ok }
end
