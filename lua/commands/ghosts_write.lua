--- @command ghosts_write
--- @summary Ends a run of the ghost policies: where it ended, what it keeps, and a hand-over of the recency tier, at once.
--- @key base
--- @arg expected name Nothing happens unless the last run ended at this event; '' = there was none.
--- @arg position id The last event that was counted.
--- @arg state text What the next run goes on with.
--- @arg losses json Mean loss in the window by policy.
--- @arg steps int 0..9e15 Steps counted in this run.
--- @arg from name The policy that was compared with; nothing happens when another one is in force.
--- @arg to name The policy that takes over; '' = none.
--- @status ok conflict
--- @returns `conflict` when another run, an operator or a purge was faster: the same events are to be read again.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include policy_switch
local function ghosts_write(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local key = base .. ':gh:state'
  if (redis.call('HGET', key, 'position') or '') ~= a.expected then return { rp.S.conflict } end
  local config, _, named = rp.parameters(base)
  if config.eviction ~= a.from or config.ghosts == 'off' or (named and a.to ~= '') then return { rp.S.conflict } end
  if a.to ~= '' and not rp.fragments[a.to] then rp.fail('RP_ERR_ARGUMENT', 'to must be the name of an eviction policy') end

  local fields = redis.call('HKEYS', key)
  for _, name in ipairs(fields) do
    if string.find(name, '^loss_') then redis.call('HDEL', key, name) end
  end
  redis.call('HSET', key, 'position', a.position, 'state', a.state)
  for name, loss in pairs(a.losses) do
    if type(loss) == 'number' then redis.call('HSET', key, 'loss_' .. name, string.format('%.6f', loss)) end
  end
  redis.call('HINCRBY', key, 'steps', string.format('%.0f', a.steps))
  if a.to ~= '' then
    rp.hand_over(base, a.to)
    redis.call('HINCRBY', key, 'switches', 1)
  end
  return { rp.S.ok }
end
