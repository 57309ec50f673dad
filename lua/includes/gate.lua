--- @fragment gate
--- @summary The regret gate of SOLAR: the accumulated loss and its threshold; the twin of libs/policy `admission/gate.ts`.

local SLOPE_MEMORY = 0.7
local SMALLEST_SLOPE = 0.1

local function clip(value, gate)
  return math.min(math.max(value, gate.floor), gate.ceiling)
end

function rp.initial_tau(gate)
  if gate.mode == 'adaptive' then return math.sqrt((2 * gate.lambda) / 2) end
  if gate.mode == 'paper-literal' then return clip(gate.tau0, gate) end
  return clip(2 * gate.lambda, gate)
end

-- Population standard deviation in two passes, oldest first.
local function deviation(values)
  local sum = 0
  for i = 1, #values do sum = sum + values[i] end
  local mean = sum / #values
  local squares = 0
  for i = 1, #values do squares = squares + (values[i] - mean) * (values[i] - mean) end
  return math.sqrt(squares / #values)
end

local function adapt(s, delta, gate)
  local window = { struct.unpack('<' .. string.rep('d', #s.window / 8), s.window) }
  window[#window] = nil -- struct.unpack also returns the next position
  window[#window + 1] = delta
  if #window > gate.window then table.remove(window, 1) end
  s.window = struct.pack('<' .. string.rep('d', #window), unpack(window))
  if #window < gate.window then return end
  local slope = math.max(2 * deviation(window), SMALLEST_SLOPE)
  s.slope = s.slope == 0 and slope or SLOPE_MEMORY * s.slope + (1 - SLOPE_MEMORY) * slope
  s.tau = clip(math.sqrt((2 * gate.lambda) / s.slope), gate)
end

function rp.add_loss(s, delta, gate)
  s.last_delta = delta
  if gate.mode == 'adaptive' then adapt(s, delta, gate) end
  s.c = math.min(s.c + delta, s.tau + 1)
end

local function bootstrap_size(capacity, gate)
  if gate.bootstrap == 'fill' then return capacity end
  return math.min(math.max(math.floor(capacity / 2), 5), 25)
end

-- `bootstrap`, `regret` or `below-threshold`.
function rp.pass_gate(s, live, capacity, gate)
  if live < bootstrap_size(capacity, gate) then
    s.c = 0
    return 'bootstrap'
  end
  local open
  if gate.mode == 'paper-literal' then open = s.c >= s.tau else open = s.c > s.tau end
  if not open then return 'below-threshold' end
  s.c = 0
  if gate.mode == 'paper-literal' then
    s.tau = clip((1 - gate.rate) * s.tau + gate.rate * s.last_delta, gate)
  end
  return 'regret'
end
