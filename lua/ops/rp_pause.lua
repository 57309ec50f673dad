--- @op rp_pause
--- @summary Stops serving and storing in the namespace, on all replicas at once.
--- @returns That it is paused.
--- @flags allow-oom
--- @include words
local function rp_pause(keys)
  redis.call('HSET', rp.base_key(keys), 'paused', '1')
  return { 'paused: every request goes to the upstream until rp_resume' }
end
