--- @command pause
--- @summary Stops or resumes serving and storing in a namespace, for every replica at once.
--- @key base
--- @arg paused bool Whether it is paused from now on.
--- @status ok
--- @returns Nothing else.
--- @flags allow-oom
--- @error RP_ERR_ARGUMENT: an argument is missing or out of range.
--- @include args
local function pause(keys, args)
  if rp.read(ARGS, args).paused then
    redis.call('HSET', keys[1], 'paused', '1')
  else
    redis.call('HDEL', keys[1], 'paused')
  end
  return { rp.S.ok }
end
