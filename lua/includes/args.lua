--- @fragment args
--- @summary Reads and checks positional arguments; a command's `ARGS` is generated from its header.

-- Errors are for broken callers only; their first word is the code.
function rp.fail(code, text)
  error({ err = code .. ' ' .. text })
end

-- Readers by the type that a header gives.
local readers = {}
rp.arg = readers

-- An identifier: 1 to 200 bytes without control characters (they separate index members).
function readers.id(value, name)
  if value == nil or #value == 0 or #value > 200 or string.find(value, '%c') then
    rp.fail('RP_ERR_ARGUMENT', name .. ' must be 1 to 200 bytes without control characters')
  end
  return value
end

-- As `id`, or empty.
function readers.name(value, name)
  if value == '' then return value end
  return readers.id(value, name)
end

function readers.text(value, name)
  if value == nil then rp.fail('RP_ERR_ARGUMENT', name .. ' is missing') end
  return value
end
readers.bytes = readers.text

-- A finite number within its bounds; a NaN fails both comparisons.
function readers.num(value, name, min, max)
  local number = tonumber(value)
  if not number or not (number >= min and number <= max) then
    rp.fail('RP_ERR_ARGUMENT', string.format('%s must be a number from %.17g to %.17g', name, min, max))
  end
  return number
end

function readers.int(value, name, min, max)
  local number = readers.num(value, name, min, max)
  if number % 1 ~= 0 then rp.fail('RP_ERR_ARGUMENT', name .. ' must be whole') end
  return number
end

function readers.bool(value, name)
  if value ~= '0' and value ~= '1' then rp.fail('RP_ERR_ARGUMENT', name .. ' must be 0 or 1') end
  return value == '1'
end

function readers.json(value, name)
  local read, decoded = pcall(cjson.decode, value or '')
  if not read or type(decoded) ~= 'table' then rp.fail('RP_ERR_ARGUMENT', name .. ' is not JSON') end
  return decoded
end

function readers.list(value, name)
  local list = readers.json(value, name)
  for i = 1, #list do
    if type(list[i]) ~= 'string' or #list[i] > 512 then
      rp.fail('RP_ERR_ARGUMENT', name .. ' must hold texts of at most 512 bytes')
    end
  end
  return list
end

-- Everything from one position on.
function readers.rest(args, first)
  local rest = {}
  for i = first, #args do rest[#rest + 1] = args[i] end
  return rest
end

-- A list in a reply; an empty one is absent, which costs server and client less.
function rp.some(list)
  return #list > 0 and list
end

function rp.read(reader, args)
  return reader(args)
end

-- While a Cluster moves the slot, some keys are here and others are not: a call that went on would write half of what it
-- must. A key that never exists fails at once then (the server answers ASK for it), before anything is written.
-- A single server has no slots: it is asked once what it is, at the second call, because a script (unlike a function) knows
-- nothing of the calls before.
local calls, clustered = 0, true
function rp.whole_slot(base)
  if not clustered then return end
  calls = calls + 1
  if calls == 2 then
    local info = redis.pcall('CLUSTER', 'INFO')
    clustered = not (type(info) == 'table' and info.err and string.find(info.err, 'cluster support disabled', 1, true))
  end
  if clustered then redis.call('EXISTS', base .. ':here') end
end
