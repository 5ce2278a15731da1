import * as EffectClient from "@community-messaging/client/effect/Client"
import type { Event } from "@community-messaging/client/Resources"
import { systemTiming } from "@community-messaging/client/Timing"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Chunk, Effect, Fiber, Stream } from "effect"
import { expect } from "vitest"
import { proxy } from "../../../../test/Proxy.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { onEachStorage, TestServer } from "../http/TestServer.ts"
import { clientWith } from "./ConnectedClient.ts"

/** Connects again without a delay. */
const timing = { ...systemTiming, random: () => 0 }

/** The sequence number of the last event. */
const end = Effect.flatMap(
  EventLog,
  (events) => Effect.map(Effect.orDie(events.read(0, 1_000_000)), (all) => all.at(-1)?.sequence ?? 0)
)

/** Causes an event of a new account. */
const happening = Effect.gen(function*() {
  const events = yield* EventLog
  const { id } = yield* Fixtures.person()
  yield* Effect.orDie(events.append(UserDeleted.make({ version: 1, userId: id })))
  return id
})

/** The account that was deleted: the type of an event determines the fields of its data. */
const deletedIn = (event: Event) => event.type === "user.deleted" ? event.data.user_id : undefined

onEachStorage("The events of a client in JavaScript", (it) => {
  it.scoped("arrive in order and none is lost, also if the connection is cut several times", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const after = yield* end
      const { cut, url: { origin: baseUrl } } = yield* proxy((yield* TestServer).origin)
      const client = yield* clientWith({ admin: token }, { baseUrl, timing })
      const events = client.logs.streamEvents({ query: { after } })[Symbol.asyncIterator]()
      const next = Effect.promise(async () => {
        const result = await events.next()
        return result.done === true ? undefined : deletedIn(result.value)
      })
      const happened: Array<string> = []
      const received: Array<unknown> = []
      for (let round = 0; round < 5; round += 1) {
        happened.push(yield* happening, yield* happening)
        received.push(yield* next)
        yield* cut
        happened.push(yield* happening)
        received.push(yield* next, yield* next)
      }
      expect(received).toEqual(happened)
      yield* Effect.promise(async () => events.return?.())
    }))

  it.effect("are a stream with Effect, past and future", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const { origin } = yield* TestServer
      const client = yield* EffectClient.make({ baseUrl: origin, credentials: { admin: token } })
      const after = yield* end
      const first = yield* happening
      const listening = yield* Effect.fork(
        client.logs.streamEvents({ query: { after } }).pipe(
          Stream.map(deletedIn),
          Stream.take(2),
          Stream.runCollect
        )
      )
      const second = yield* happening
      expect(Chunk.toReadonlyArray(yield* Fiber.join(listening))).toEqual([first, second])
    }))
})
