--- @fragment words
--- @summary What operators' functions share: the key that they name, numbers and times as people write them.
--- @include args

-- The base key that a person named, or an error that says how.
function rp.base_key(keys)
  if #keys ~= 1 or not string.find(keys[1], '^rp:{[^{}]+}$') then
    rp.fail('RP_ERR_ARGUMENT', "name one namespace: FCALL <function> 1 'rp:{NAMESPACE}' …; FCALL_RO rp_help 0 tells more")
  end
  return keys[1]
end

function rp.now_ms()
  local time = redis.call('TIME')
  return tonumber(time[1]) * 1000 + math.floor(tonumber(time[2]) / 1000)
end

-- A whole number among the words, with a default.
function rp.whole(word, default, min, max, name)
  if word == nil then return default end
  local value = tonumber(word)
  if not value or value ~= math.floor(value) or value < min or value > max then
    rp.fail('RP_ERR_ARGUMENT', name .. ' must be a whole number from ' .. min .. ' to ' .. max)
  end
  return value
end

-- UTC date and time of milliseconds since the epoch (days to civil date after H. Hinnant).
function rp.iso(ms)
  local seconds = math.floor(ms / 1000)
  local days, rest = math.floor(seconds / 86400), seconds % 86400
  local z = days + 719468
  local era = math.floor(z / 146097)
  local doe = z - era * 146097
  local yoe = math.floor((doe - math.floor(doe / 1460) + math.floor(doe / 36524) - math.floor(doe / 146096)) / 365)
  local doy = doe - (365 * yoe + math.floor(yoe / 4) - math.floor(yoe / 100))
  local mp = math.floor((5 * doy + 2) / 153)
  local month = mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return string.format('%04d-%02d-%02dT%02d:%02d:%02dZ', year, month, doy - math.floor((153 * mp + 2) / 5) + 1,
    math.floor(rest / 3600), math.floor(rest % 3600 / 60), rest % 60)
end

-- A duration as `90s`, `15m`, `12h`, `7d`, or plain milliseconds.
function rp.duration_ms(word)
  local number, unit = string.match(word or '', '^(%d+)([smhd]?)$')
  if not number then rp.fail('RP_ERR_ARGUMENT', 'a duration is written 90s, 15m, 12h or 7d') end
  return tonumber(number) * ({ s = 1000, m = 60000, h = 3600000, d = 86400000, [''] = 1 })[unit]
end

-- A flat list of name and value as lines: times (names in `Ms`) as dates, numbers as people write them.
function rp.lines(list)
  local lines = {}
  for i = 1, #list, 2 do
    local name, value = list[i], list[i + 1]
    if string.find(name, 'Ms$') and tonumber(value) then
      name, value = string.sub(name, 1, -3), rp.iso(tonumber(value))
    elseif string.find(value, '^%-?%d+%.%d+$') then
      value = string.format('%.10g', tonumber(value))
    end
    if value == '' then value = 'none' end
    lines[#lines + 1] = name .. ': ' .. value
  end
  return lines
end
