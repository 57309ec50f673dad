--- @command judge_spend
--- @summary Counts what a judgement cost, and says what judging has cost and what the cache has saved.
--- @key base
--- @arg nanoUsd int 0..9e15 What it cost, in billionths of a US dollar; 0 = only look.
--- @status ok
--- @reply spentNanoUsd int All judgements of the namespace.
--- @reply savedNanoUsd int What its served answers would have cost upstream.
--- @returns Both sums.
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include base
local function judge_spend(keys, args)
  local base, a = keys[1], rp.read(ARGS, args)
  rp.whole_slot(base)
  if a.nanoUsd > 0 then rp.count(base, 'judge_nano_usd', string.format('%.0f', a.nanoUsd)) end
  local sums = redis.call('HMGET', base .. ':st', 'judge_nano_usd', 'saved_nano_usd')
  return { rp.S.ok, tonumber(sums[1] or '0'), tonumber(sums[2] or '0') }
end
