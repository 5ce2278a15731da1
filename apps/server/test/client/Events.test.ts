import * as EffectClient from "@community-messaging/client/effect/Client"
import type { Event } from "@community-messaging/client/Resources"
import { systemTiming } from "@community-messaging/client/Timing"
import { Chunk, Effect, Fiber, Stream } from "effect"
import { expect } from "vitest"
import { proxy } from "../../../../test/Proxy.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { onEachStorage, TestServer } from "../http/TestServer.ts"
import { clientWith } from "./ConnectedClient.ts"

/** Connects again without a delay. */
const timing = { ...systemTiming, random: () => 0 }

/** The account that was deleted: the type of an event determines the fields of its data. */
const deletedIn = (event: Event) => event.type === "user.deleted" ? event.data.user_id : undefined

onEachStorage("The events of a client in JavaScript", (it) => {
  it.scoped("arrive in order and none is lost, also if the connection is cut several times", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      const after = yield* Fixtures.lastEvent
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
        happened.push(yield* Fixtures.happening, yield* Fixtures.happening)
        received.push(yield* next)
        yield* cut
        happened.push(yield* Fixtures.happening)
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
      const after = yield* Fixtures.lastEvent
      const first = yield* Fixtures.happening
      const listening = yield* Effect.fork(
        client.logs.streamEvents({ query: { after } }).pipe(
          Stream.map(deletedIn),
          Stream.take(2),
          Stream.runCollect
        )
      )
      const second = yield* Fixtures.happening
      expect(Chunk.toReadonlyArray(yield* Fiber.join(listening))).toEqual([first, second])
    }))
})
