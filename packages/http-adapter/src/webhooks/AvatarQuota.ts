import type { Webhook } from "@community-messaging/domain/webhook/Webhook"
import { Effect } from "effect"
import { RateLimits } from "../server/rate-limits/RateLimits.ts"
import type { ErrorWithHeaders } from "../server/replies/ErrorMapping.ts"

/** The size of an avatar that counts as one unit, in bytes. */
const UNIT_BYTES = 1024 * 1024

/** Counts a new avatar of the webhook before it is inspected (API gaps, Rate limits). */
export type AvatarQuota = (webhook: Webhook, bytes: Uint8Array) => Effect.Effect<void, ErrorWithHeaders>

export const make: Effect.Effect<AvatarQuota, never, RateLimits> = Effect.map(
  RateLimits,
  (limits): AvatarQuota => (webhook, bytes) =>
    Effect.asVoid(limits.count("webhook-avatar", `webhook:${webhook.id}`, Math.ceil(bytes.length / UNIT_BYTES)))
)
