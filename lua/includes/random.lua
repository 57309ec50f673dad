--- @fragment random
--- @summary L'Ecuyer's combined generator and the Beta draw; the twins of libs/kernel `createRng` and libs/policy `drawBeta`.

-- Exact in doubles; `math.random` is not used, its state is the process's (docs/concepts/policies.md, "Random numbers").
function rp.generator(seed)
  local s1 = 1 + seed % 2147483562
  local s2 = 1 + (seed * 69621 + 12345) % 2147483398
  local function next_uniform()
    s1 = (40014 * s1) % 2147483563
    s2 = (40692 * s2) % 2147483399
    local z = s1 - s2
    if z < 1 then z = z + 2147483562 end
    return z / 2147483563
  end
  for _ = 1, 8 do next_uniform() end
  return next_uniform
end

local function normal(uniform)
  while true do
    local u = 2 * uniform() - 1
    local v = 2 * uniform() - 1
    local s = u * u + v * v
    if s > 0 and s < 1 then return u * math.sqrt((-2 * math.log(s)) / s) end
  end
end

-- Marsaglia and Tsang; shapes are at least 1, because every prior is.
local function gamma(shape, uniform)
  local d = shape - 1 / 3
  local c = 1 / math.sqrt(9 * d)
  while true do
    local x = normal(uniform)
    local t = 1 + c * x
    if t > 0 then
      local v = t * t * t
      local u = uniform()
      local x2 = x * x
      if u < 1 - 0.0331 * x2 * x2 then return d * v end
      if math.log(u) < 0.5 * x2 + d * (1 - v + math.log(v)) then return d * v end
    end
  end
end

function rp.draw_beta(alpha, beta, uniform)
  local x = gamma(alpha, uniform)
  local y = gamma(beta, uniform)
  return x / (x + y)
end

-- Scores that `log` and `exp` enter are compared on a grid, so that a last bit cannot tell two languages apart.
function rp.on_grid(score)
  return math.floor(score * 1e9 + 0.5)
end
