--- @op rp_resume
--- @summary Ends a pause.
--- @returns That it goes on.
--- @flags allow-oom
--- @include words
local function rp_resume(keys)
  redis.call('HDEL', rp.base_key(keys), 'paused')
  return { 'serving and storing again' }
end
