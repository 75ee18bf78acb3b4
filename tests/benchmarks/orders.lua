-- What wrk sends: each of its threads has one connection and plays a game of its own.
-- Called with: what is asked (a path below the game, or "orders"), the file of the players' tokens, a word for command ids.

local players = 0

function setup(thread)
  thread:set("player", players)
  players = players + 1
end

function init(args)
  asked, stamp, given = args[1], args[3], 0
  local tokens = {}
  for line in io.lines(args[2]) do tokens[#tokens + 1] = line end
  local bearer = "Bearer " .. tokens[player + 1]
  headers = { ["Authorization"] = bearer, ["Content-Type"] = "application/json" }
  path = "/games/g" .. player .. "/" .. asked
end

function request()
  if asked ~= "orders" then return wrk.format("GET", path, headers) end
  given = given + 1
  local id = stamp .. "-" .. player .. "-" .. given
  local order = '{"order":"note","text":"hull at ' .. given % 97 .. '","id":"' .. id .. '"}'
  return wrk.format("POST", path, headers, order)
end

-- Times come in microseconds.
function done(summary, latency)
  local line = '{"a_second":%.1f,"p50":%.2f,"p95":%.2f,"p99":%.2f,"errors":%d}\n'
  local errors = summary.errors
  local bad = errors.status + errors.connect + errors.read + errors.write + errors.timeout
  local function at(part) return latency:percentile(part) / 1000 end
  io.write(line:format(summary.requests / summary.duration * 1e6, at(50), at(95), at(99), bad))
end
