--- @op rp_top
--- @summary Entries by value: posterior mean, uses or importance; of a large namespace, of 300 entries at random.
--- @usage [COUNT] [mean|uses|importance]
--- @returns One line an entry, best first.
--- @flags no-writes
--- @include words
--- @include posterior
--- @include session
local function rp_top(keys, args)
  local base = rp.base_key(keys)
  local count, by = rp.whole(args[1], 10, 1, 100, 'COUNT'), args[2] or 'mean'
  if by ~= 'mean' and by ~= 'uses' and by ~= 'importance' then
    rp.fail('RP_ERR_ARGUMENT', 'by mean, uses or importance')
  end
  local x = rp.session(base, rp.head(base))
  local sample, rows = redis.call('HRANDFIELD', base .. ':post', 300, 'WITHVALUES'), {}
  for i = 1, #sample, 2 do
    local r = rp.record_unpack(sample[i + 1])
    local alpha, beta = rp.posterior_at(x.config, r, x.s.ticks)
    r.id, r.a, r.b, r.mean = sample[i], alpha, beta, alpha / (alpha + beta)
    rows[#rows + 1] = r
  end
  table.sort(rows, function(a, b)
    if a[by] ~= b[by] then return a[by] > b[by] end
    return a.id < b.id
  end)
  local lines = { string.format('%d of %d entries, by %s', math.min(count, #rows), rp.session_size(x), by) }
  for i = 1, math.min(count, #rows) do
    local r = rows[i]
    lines[#lines + 1] = string.format(
      '%s  mean %.3f (alpha %.2f, beta %.2f)  uses %.0f  importance %g  last used %.0f steps ago', r.id, r.mean, r.a, r.b,
      r.uses, r.importance, x.s.step - r.last_step)
  end
  return lines
end
