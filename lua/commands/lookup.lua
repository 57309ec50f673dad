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
--- @reply snapshotVersion int Version of what was learned that is in force; 0: nothing.
--- @reply policy? text Policy JSON when the caller's version is another; '' when none is stored.
--- @reply candidates? rows(id:text similarity:num createdMs:int firstTurn:bool historyKey:text conversation:text fingerprint:text answer:text)
---   Most similar first.
--- @returns min(count, live) candidates, as long as at most 1,024 members have to be looked at.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range, or the vector has another size than its stratum.
--- @include base
--- @include about
--- @include record
--- @include vectors
local function lookup(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  local head = rp.head(base)
  local news = rp.policy_news(base, head, a.policyVersion)
  if head.paused then return { rp.S.paused, head.version, head.snapshot, news } end
  rp.count(base, 'lookup')

  local size = rp.vectors_size(base, a.stratum)
  if size == 0 then return { rp.S.ok, head.version, head.snapshot, news, {} } end
  if rp.vectors_bytes(base, a.stratum) ~= #a.vector then
    rp.fail('RP_ERR_ARGUMENT', 'vector has another size than its stratum')
  end

  -- What the reply says of a member; nil when its entry is gone or may not be served to this caller.
  local function row_of(member, score)
    local id, seq = rp.member_parts(member)
    local d, answer
    if a.answers then d, answer = rp.about_and_answer(base, id) else d, answer = rp.about(base, id), '' end
    if not d or d.seq ~= seq or d.semantic_until <= a.nowMs or rp.age(d, a.nowMs) >= a.maxAgeMs then return nil end
    return {
      id, 2 * score - 1, d.created, d.first_turn, d.history, d.conversation, d.fingerprint, answer,
    }
  end

  -- Widens until enough live ones are found or the stratum is exhausted; members whose entry is gone never shrink the
  -- answer.
  local rows, seen, asked = {}, {}, rp.vectors_ask(base, a.stratum, a.count, size)
  for _ = 1, 4 do
    local found = rp.vectors_nearest(base, a.stratum, a.vector, asked, size)
    for i = 1, #found, 2 do
      local member = found[i]
      if #rows < a.count and not seen[member] then
        seen[member] = true
        rows[#rows + 1] = row_of(member, tonumber(found[i + 1]))
      end
    end
    if #rows >= a.count or #found / 2 < asked then break end
    asked = math.min(8 * asked + 8, 1024)
  end
  table.sort(rows, function(x, y)
    if x[2] ~= y[2] then return x[2] > y[2] end
    return x[1] < y[1]
  end)
  for i = 1, #rows do rows[i][2] = rp.exact_number(rows[i][2]) end
  return { rp.S.ok, head.version, head.snapshot, news, rows }
end
