--- @fragment describe
--- @summary An entry in words: a flat list of name and text.
--- @include about
--- @include record

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
  local r, d = rp.record_get(base, id), rp.about(base, id)
  if not r or not d then return nil end
  return {
    'id', id, 'tier', tier_of(base, id), 'createdMs', number(d.created),
    'exactUntilMs', number(d.exact_until), 'semanticUntilMs', number(d.semantic_until),
    'model', d.model, 'stratum', r.stratum, 'firstTurn', tostring(d.first_turn == 1),
    'conversation', d.conversation, 'user', d.user, 'tags', cjson.encode(rp.list(d.tags)),
    'exactKeys', table.concat(rp.record_keys(r), ' '), 'promptTokens', number(d.prompt_tokens),
    'completionTokens', number(d.completion_tokens), 'costMicroUsd', number(d.cost),
    'alpha', number(r.alpha), 'beta', number(r.beta), 'uses', number(r.uses), 'importance', number(r.importance),
    'sightings', number(r.sightings), 'representative', r.representative,
    'insertedStep', number(r.inserted_step), 'lastStep', number(r.last_step),
    'answerBytes', tostring(redis.call('STRLEN', base .. ':e:' .. id) - d.length - d.dossier_length),
  }
end
