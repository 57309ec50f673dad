--- @op rp_victims
--- @summary Who would leave next, and why; nothing is removed.
--- @usage [COUNT] [SEED]
--- @returns One line an entry, the next one first.
--- @flags no-writes
--- @include words
--- @include evict
local function rp_victims(keys, args)
  local base = rp.base_key(keys)
  local count = rp.whole(args[1], 5, 1, 64, 'COUNT')
  local seed = rp.whole(args[2], 1, 0, 2147483647, 'SEED')
  local x = rp.session(base, rp.head(base))
  local how = rp.fragments[x.config.eviction].victim
  local lines = { string.format('policy %s, %d entries, capacity %.0f', x.config.eviction, rp.session_size(x), x.head.capacity) }
  if rp.session_size(x) < x.head.capacity then lines[2] = 'there is room: nobody leaves at the next admission' end
  local unit = (how == 'thompson' or how == 'blend') and 1e9 or 1
  if how == 'oldest' or how == 'arc' then
    local first = how == 'arc' and select(2, rp.arc_victim(x, { hit = 'none' })) or 0
    for _, row in ipairs(rp.oldest_first(x, first, count, how == 'arc')) do
      lines[#lines + 1] = string.format('%s  sequence %.0f  %s', row[1], row[2], row[3])
    end
    return lines
  end
  local ids, records, values = rp.scored_candidates(x, how, rp.generator(seed))
  local order = {}
  for i = 1, #ids do order[i] = i end
  table.sort(order, function(a, b)
    if values[a] ~= values[b] then return values[a] < values[b] end
    return rp.inserted_seq(records[a]) < rp.inserted_seq(records[b])
  end)
  for i = 1, math.min(count, #order) do
    local at = order[i]
    local r = rp.record_unpack(records[at])
    lines[#lines + 1] = string.format('%s  %s %.4f  alpha %.2f  beta %.2f  uses %.0f  importance %g', ids[at], how,
      values[at] / unit, r.alpha, r.beta, r.uses, r.importance)
  end
  return lines
end
