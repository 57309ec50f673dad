--- @fragment random
--- @summary L'Ecuyer's combined generator and the Beta draw; the twins of libs/kernel `createRng` and libs/policy `drawBeta`.

-- Exact in doubles; `math.random` is not used, its state is the process's (docs/concepts/policies.md, "Random numbers").
-- Returns two functions on one stream: a uniform draw in (0, 1), and a draw of Beta(alpha, beta) with both at least 1.
-- The second one is Marsaglia's polar normal inside Marsaglia and Tsang's gamma, twice, written out: an eviction makes
-- 64 draws, and calls are what costs time in Lua.
function rp.generator(seed)
  local log, sqrt = math.log, math.sqrt
  local s1 = 1 + seed % 2147483562
  local s2 = 1 + (seed * 69621 + 12345) % 2147483398

  local function uniform()
    s1 = (40014 * s1) % 2147483563
    s2 = (40692 * s2) % 2147483399
    local z = s1 - s2
    if z < 1 then z = z + 2147483562 end
    return z / 2147483563
  end
  for _ = 1, 8 do uniform() end

  local function gamma(shape)
    local a, b = s1, s2
    local d = shape - 1 / 3
    local c = 1 / sqrt(9 * d)
    while true do
      local u, s
      repeat
        a, b = (40014 * a) % 2147483563, (40692 * b) % 2147483399
        local z = a - b
        if z < 1 then z = z + 2147483562 end
        u = 2 * (z / 2147483563) - 1
        a, b = (40014 * a) % 2147483563, (40692 * b) % 2147483399
        z = a - b
        if z < 1 then z = z + 2147483562 end
        local v = 2 * (z / 2147483563) - 1
        s = u * u + v * v
      until s > 0 and s < 1
      local x = u * sqrt((-2 * log(s)) / s)
      local t = 1 + c * x
      if t > 0 then
        local v = t * t * t
        a, b = (40014 * a) % 2147483563, (40692 * b) % 2147483399
        local z = a - b
        if z < 1 then z = z + 2147483562 end
        local accept = z / 2147483563
        local x2 = x * x
        if accept < 1 - 0.0331 * x2 * x2 or log(accept) < 0.5 * x2 + d * (1 - v + log(v)) then
          s1, s2 = a, b
          return d * v
        end
      end
    end
  end

  return uniform, function(alpha, beta)
    -- By inversion, at a tenth of the cost: most entries were never used.
    if alpha == 1 then return 1 - uniform() ^ (1 / beta) end
    local x = gamma(alpha)
    local y = gamma(beta)
    return x / (x + y)
  end
end

-- Scores that `log` and `exp` enter are compared on a grid, so that a last bit cannot tell two languages apart.
function rp.on_grid(score)
  return math.floor(score * 1e9 + 0.5)
end
