import { Context, type Effect } from "effect"

/** Port: random bytes that nobody can guess. */
export class SecureRandom extends Context.Tag("@community-messaging/domain/shared-kernel/SecureRandom")<SecureRandom, {
  readonly bytes: (count: number) => Effect.Effect<Uint8Array>
}>() {}
