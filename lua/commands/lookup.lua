--- @command lookup
--- @summary The nearest live entries of a stratum with what deciding needs, and counts the lookup.
--- @key base
--- @arg stratum id Hash of compat, structured key and index layout.
--- @arg vector bytes Unit vector, float32 little-endian.
--- @arg count int 1..64 How many live candidates are wanted.
--- @arg nowMs int 0..9e15 Wall time of the caller.
--- @arg maxAgeMs int 0..9e15 The tightest age limit.
--- @arg policyVersion int 0..9e15 The policy version that the caller holds.
--- @arg answers bool Whether the answers are wanted too (agent memory).
--- @status ok paused
--- @reply policyVersion int Policy version in force.
--- @reply policy? text Policy JSON when the caller's version is another; '' when none is stored.
--- @reply candidates? rows(id:text similarity:num createdMs:int firstTurn:bool historyKey:text conversation:text model:text promptTokens:int completionTokens:int costMicroUsd:num fingerprint:text answer:text)
---   Most similar first.
--- @returns min(count, live) candidates, as long as at most 1,024 members have to be looked at.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range, or the vector has another size than its stratum.
--- @include base
--- @include remove
local function lookup(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local news = rp.policy_news(base, head, a.policyVersion)
  if head.paused then return { rp.S.paused, head.version, news } end
  rp.count(base, 'lookup')

  local size = rp.vectors_size(base, a.stratum)
  if size == 0 then return { rp.S.ok, head.version, news, {} } end
  if rp.vectors_bytes(base, a.stratum) ~= #a.vector then
    rp.fail('RP_ERR_ARGUMENT', 'vector has another size than its stratum')
  end

  -- What the reply says of a member; nothing when it may not be served to this caller.
  local function row_of(id, score, r)
    local d = rp.about(r)
    if r.stratum ~= a.stratum or d.semantic_until <= a.nowMs or rp.age(d, a.nowMs) >= a.maxAgeMs then return nil end
    local answer = a.answers and redis.call('GET', base .. ':e:' .. id) or ''
    return answer and {
      id, 2 * score - 1, d.created, d.first_turn, d.history, d.conversation, d.model, d.prompt_tokens,
      d.completion_tokens, rp.exact_number(d.cost), d.fingerprint, answer,
    }
  end

  -- Widens until enough live ones are found or the stratum is exhausted. Members whose entry is gone never shrink the
  -- answer; some of them leave the index right away (a removal costs far more than a look, so only a few).
  local rows, seen, asked, removals = {}, {}, a.count, 0
  for _ = 1, 4 do
    local found = rp.vectors_nearest(base, a.stratum, a.vector, asked, size)
    local ids = {}
    for i = 1, #found, 2 do ids[#ids + 1] = found[i] end
    local packed = redis.call('HMGET', base .. ':post', unpack(ids))
    for i = 1, #ids do
      local id = ids[i]
      if #rows < a.count and not seen[id] then
        seen[id] = true
        if packed[i] then
          rows[#rows + 1] = row_of(id, tonumber(found[2 * i]), rp.record_unpack(packed[i]))
        elseif removals < 16 then
          removals = removals + 1
          rp.vectors_remove(base, a.stratum, id)
        end
      end
    end
    if #rows >= a.count or #ids < asked then break end
    asked = math.min(8 * asked + 8, 1024)
  end
  table.sort(rows, function(x, y)
    if x[2] ~= y[2] then return x[2] > y[2] end
    return x[1] < y[1]
  end)
  for i = 1, #rows do rows[i][2] = rp.exact_number(rows[i][2]) end
  return { rp.S.ok, head.version, news, rows }
end
