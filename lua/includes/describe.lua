--- @fragment describe
--- @summary An entry in words: a flat list of name and text.
--- @include entry
--- @include record

local M = rp.M

local function tier_of(base, id)
  for _, tier in ipairs({ { 'm', 'planned' }, { 'p', 'protected' }, { 'r', 'recency' } }) do
    if redis.call('ZSCORE', base .. ':t:' .. tier[1], id) then return tier[2] end
  end
  return 'none'
end

local function number(value)
  return string.format('%.17g', value)
end

-- Nil when there is no such entry.
function rp.describe(base, id)
  local meta, p = rp.meta(base, id), rp.record_get(base, id)
  if not meta or not p then return nil end
  return {
    'id', id, 'tier', tier_of(base, id), 'createdMs', number(meta[M.created]),
    'exactUntilMs', number(meta[M.exact_until]), 'semanticUntilMs', number(meta[M.semantic_until]),
    'model', meta[M.model], 'stratum', meta[M.stratum], 'firstTurn', tostring(meta[M.first_turn] == 1),
    'conversation', meta[M.conversation], 'user', meta[M.user], 'tags', cjson.encode(meta[M.tags]),
    'exactKeys', table.concat(meta[M.exact_keys], ' '), 'promptTokens', number(meta[M.prompt_tokens]),
    'completionTokens', number(meta[M.completion_tokens]), 'costMicroUsd', number(meta[M.cost]),
    'alpha', number(p.alpha), 'beta', number(p.beta), 'uses', number(p.uses), 'importance', number(p.importance),
    'sightings', number(p.sightings), 'representative', p.representative,
    'insertedStep', number(p.inserted_step), 'lastStep', number(p.last_step),
    'answerBytes', tostring(redis.call('HSTRLEN', base .. ':e:' .. id, 'a')),
  }
end
