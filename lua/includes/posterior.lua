--- @fragment posterior
--- @summary One packed record an entry in the hash `post`: numbers as doubles, then the stratum.

local FORMAT = '<dddddddd'
local SIZE = 64

-- Every entry has exactly one record here for all of its life, also after its hash has expired: the record is the
-- register by which walks and sweeps find the rest of it.
function rp.post_pack(p)
  return struct.pack(FORMAT, p.alpha, p.beta, p.aged, p.inserted, p.importance, p.uses, p.last, p.valid_until)
    .. p.stratum
end

function rp.post_unpack(packed)
  local p = {}
  p.alpha, p.beta, p.aged, p.inserted, p.importance, p.uses, p.last, p.valid_until = struct.unpack(FORMAT, packed)
  p.stratum = string.sub(packed, SIZE + 1)
  return p
end

function rp.post_get(base, id)
  local packed = redis.call('HGET', base .. ':post', id)
  return packed and rp.post_unpack(packed)
end

function rp.post_set(base, id, p)
  redis.call('HSET', base .. ':post', id, rp.post_pack(p))
end
