import { Context, type Effect } from "effect"

/** Port: generates cryptographically secure random bytes. */
export class SecureRandom extends Context.Tag("@community-messaging/domain/SecureRandom")<SecureRandom, {
  readonly bytes: (count: number) => Effect.Effect<Uint8Array>
}>() {}
