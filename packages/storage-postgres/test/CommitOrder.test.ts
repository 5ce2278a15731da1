import * as CommitOrder from "@community-messaging/storage-postgres/CommitOrder"
import { settingsOf } from "@community-messaging/storage-postgres/PostgresOptions"
import { describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted, Scope } from "effect"
import { answering, closed } from "./SilentServer.ts"

describe("the order of commits", () => {
  it.scopedLive("ends at once while its database accepts the connection and does not answer", () =>
    Effect.gen(function*() {
      const { connected, url } = yield* answering()
      const scope = yield* Scope.make()
      const settings = settingsOf({ url: Redacted.make(url), connectTimeout: "1 minute" })
      const order = yield* Scope.extend(CommitOrder.make(settings), scope)
      order.wake()
      const socket = yield* connected
      yield* Scope.close(scope, Exit.void).pipe(Effect.disconnect, Effect.timeout("3 seconds"))
      yield* Effect.timeout(closed(socket), "3 seconds")
    }))
})
