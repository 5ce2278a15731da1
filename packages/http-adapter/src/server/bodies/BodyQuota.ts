import { Effect } from "effect"
import { RateLimits } from "../rate-limits/RateLimits.ts"
import type { ErrorWithHeaders } from "../replies/ErrorMapping.ts"

/** The size of one unit of a body, in bytes. The first unit is free: almost all bodies are smaller. */
export const UNIT_BYTES = 256 * 1024

/** The units that a body of this size counts. */
export const unitsOf = (bytes: number): number => Math.max(0, Math.ceil(bytes / UNIT_BYTES) - 1)

/** Counts units of a body for the principal, before they are read (API gaps, Rate limits). */
export type BodyQuota = (principal: string, units: number) => Effect.Effect<void, ErrorWithHeaders>

export const make: Effect.Effect<BodyQuota, never, RateLimits> = Effect.map(
  RateLimits,
  (limits): BodyQuota => (principal, units) => Effect.asVoid(limits.count("body", principal, units))
)
