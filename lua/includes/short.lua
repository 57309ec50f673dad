--- @fragment short
--- @summary Texts as they are stored: hex digits take half a byte each, everything else is itself.

-- Hashes are most of what an entry is called by. A packed text begins with 0x01, which no identifier has, so that each says
-- itself what it is.
local MARK = '\1'

function rp.short(text)
  if #text == 0 or #text % 8 ~= 0 or string.find(text, '[^0-9a-f]') then return text end
  local parts = {}
  for i = 1, #text, 8 do parts[#parts + 1] = struct.pack('>I4', tonumber(string.sub(text, i, i + 7), 16)) end
  return MARK .. table.concat(parts)
end

function rp.long(packed)
  if string.byte(packed) ~= 1 then return packed end
  local parts = {}
  for i = 2, #packed, 4 do parts[#parts + 1] = string.format('%08x', (struct.unpack('>I4', packed, i))) end
  return table.concat(parts)
end
