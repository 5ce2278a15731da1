import * as CommunityMessaging from "@community-messaging/client/effect/Client"
import { Config, Effect, Layer, Stream } from "effect"

const ClientLive = Layer.unwrapEffect(
  Effect.map(
    Config.all({ baseUrl: Config.string("BASE"), admin: Config.redacted("ADMIN") }),
    ({ admin, baseUrl }) => CommunityMessaging.layer({ baseUrl, credentials: { admin } })
  )
)

/** The types of the next ten events. */
export const program = Effect.gen(function*() {
  const { logs } = yield* CommunityMessaging.Client
  return yield* logs.streamEvents().pipe(Stream.map(({ type }) => type), Stream.take(10), Stream.runCollect)
}).pipe(
  Effect.catchTag("MISSING_ACL", () => Effect.dieMessage("The key needs the acl events:read")),
  Effect.provide(ClientLive)
)
