import type { Result } from "ioredis"

/*
 * The counter of `BoundedCounters` as a script, which Redis runs as one step. Time is Redis's, so that all servers count by
 * one clock. An entry is the count and its expiry, in milliseconds with fractions: the share of one unit in a window is
 * seldom whole. Redis removes the entry when it expires.
 */
const LUA = `
local time = redis.call("TIME")
local now = time[1] * 1000 + time[2] / 1000
local limit, window, amount = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local count, expires = 0, now
local stored = redis.pcall("GET", KEYS[1])
if type(stored) == "table" then
  -- A value of another type is not ours: a count replaces it. Otherwise each count of such a key would begin an outage.
  if not string.find(stored.err, "WRONGTYPE", 1, true) then return stored end
elseif stored then
  local known, at = string.match(stored, "^(%d+) ([%d.]+)$")
  at = tonumber(at)
  -- A counter that lasts longer than its window is of a time when the clock was ahead.
  if at and at > now and at <= now + window + 1 then count, expires = tonumber(known), at end
end
local counted = count + amount <= limit
if counted and amount > 0 then
  count = count + amount
  expires = expires + window / limit * amount
  redis.call("SET", KEYS[1], string.format("%d %.3f", count, expires), "PX", math.ceil(expires - now))
end
return { count, string.format("%.3f", expires - now), counted and 1 or 0 }
`

/** The scripts of a client. */
export const SCRIPTS = { countRateLimit: { lua: LUA, numberOfKeys: 1, readOnly: false } }

declare module "ioredis" {
  interface RedisCommander<Context> {
    /** Runs the script. */
    countRateLimit(key: string, limit: number, windowMillis: number, amount: number): Result<unknown, Context>
  }
}
