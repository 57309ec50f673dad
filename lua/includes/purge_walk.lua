--- @fragment purge_walk
--- @summary A purge that a person drives by repeating one command; its place is kept in `gate` between the calls.
--- @include purge_keys

local NAMES = { entry = 'entryId', key = 'exactKey', tag = 'tag', model = 'model', conversation = 'conversation', user = 'user' }
local LOOKS, REMOVALS, KEYS = 256, rp.PURGE_REMOVALS, 1000

-- The filter that the words say, and whether they end in `run`.
function rp.purge_filter(args)
  local filter = { entryId = '', exactKey = '', tag = '', model = '', conversation = '', user = '', olderThanMs = -1 }
  local i, given, run = 1, 0, false
  while i <= #args do
    local word = args[i]
    if word == 'run' and i == #args then
      run = true
    elseif word == 'all' then
      filter.all, given = true, given + 1
    elseif word == 'older' then
      filter.olderThanMs, given, i = rp.duration_ms(args[i + 1]), given + 1, i + 1
    elseif NAMES[word] and args[i + 1] and args[i + 1] ~= '' then
      filter[NAMES[word]], given, i = args[i + 1], given + 1, i + 1
    else
      rp.fail('RP_ERR_ARGUMENT', 'entry, key, tag, model, conversation or user with a value, older 7d, or all; run at the end')
    end
    i = i + 1
  end
  if given == 0 then rp.fail('RP_ERR_ARGUMENT', 'a purge needs at least one filter') end
  filter.single = given == 1
  filter.signature = redis.sha1hex(table.concat(args, '\31'))
  return filter, run
end

local function load_state(base, filter)
  local packed = redis.call('HGET', base .. ':gate', 'purge')
  local state = packed and cmsgpack.unpack(packed)
  if state and state.signature == filter.signature then return state end
  return {
    signature = filter.signature, token = string.sub(filter.signature, 1, 16), phase = 1, cursor = '0', matched = 0,
    keys = 0, looked = 0, sample = {}, done = false,
  }
end

local function entries_step(base, filter, run, now, state)
  filter.cursor, filter.limit, filter.nowMs, filter.dryRun, filter.token = state.cursor, 16, now, not run, state.token
  if run and state.cursor == '0' then rp.purge_begins(base) end
  local removals, looks = 0, 0
  repeat
    local looked, removed
    filter.cursor, looked, removed = rp.purge_page(base, filter, REMOVALS - removals, function(id)
      state.matched = state.matched + 1
      if #state.sample < 20 then state.sample[#state.sample + 1] = id end
    end)
    looks, removals = looks + looked, removals + removed
  until filter.cursor == '0' or removals >= REMOVALS or looks >= LOOKS
  state.cursor, state.looked = filter.cursor, state.looked + looks
  if state.cursor == '0' then
    if run then state.phase = 2 else state.done = true end
  end
end

-- Vectors of what was purged leave when their strata have been built anew.
local function vectors_step(base, state)
  if not rp.compact_step(base, LOOKS, REMOVALS) then state.phase, state.cursor = 3, '0' end
end

local function keys_step(base, filter, state)
  local alone = filter.single
  local a = {
    token = state.token, all = alone and filter.all or false, conversation = alone and filter.conversation or '',
    user = alone and filter.user or '',
  }
  local removed
  state.cursor, removed = rp.purge_keys(base, a, state.cursor, KEYS)
  state.keys = state.keys + removed
  state.done = state.cursor == '0'
end

-- One bounded step of the purge that the filter says, where the last one stopped.
function rp.purge_step(base, filter, run, now)
  local state = load_state(base, filter)
  if state.phase == 1 then entries_step(base, filter, run, now, state) end
  if state.phase == 3 then
    keys_step(base, filter, state)
  elseif state.phase == 2 then
    vectors_step(base, state)
  end
  if state.done then
    redis.call('HDEL', base .. ':gate', 'purge')
    if run and state.matched > 0 then redis.call('HINCRBY', base .. ':st', 'purged', state.matched) end
  else
    redis.call('HSET', base .. ':gate', 'purge', cmsgpack.pack(state))
  end
  return state
end
