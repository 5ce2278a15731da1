import { Authentication } from "@community-messaging/domain/access/Authentication"
import { AdminKey } from "@community-messaging/domain/access/Credential"
import { TokenDigest } from "@community-messaging/domain/access/Token"
import { UserId } from "@community-messaging/domain/account/User"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, DateTime, Effect, Fiber, Layer, Option, Stream, TestClock } from "effect"
import { makeEventStreams } from "../../src/operations/EventStreams.ts"

const key = AdminKey.make({
  id: CredentialId.make("1"),
  digest: TokenDigest.make("0".repeat(64)),
  createdAt: DateTime.unsafeMake(0),
  name: "listener",
  acls: ["events:read"]
})

// Nothing reads the key here.
const service = Layer.merge(
  StorageMemory.layer,
  Layer.succeed(Authentication, {
    bot: () => Effect.never,
    admin: () => Effect.never,
    untilRevoked: () => Effect.never
  })
)

/** The pieces that are written to the socket: its beginning, and then pages of up to 100 events. */
const body = Effect.map(makeEventStreams(1), (streams) => streams.after(0, key).chunks)

const happen = (count: number) =>
  Effect.flatMap(EventLog, (events) =>
    Effect.forEach(
      Arrays.range(1, count),
      (number) => events.append(UserDeleted.make({ version: 1, userId: UserId.make(String(number)) })),
      { discard: true }
    ))

describe("the body of a stream of events", () => {
  it.live("reads its events in its own turn of the event loop, with any number of streams", () =>
    Effect.gen(function*() {
      yield* happen(300)
      let turn = 0
      const passTurns = (): NodeJS.Immediate =>
        setImmediate(() => {
          turn += 1
          passing = passTurns()
        })
      let passing = passTurns()
      const log = yield* EventLog
      const turnsOfReads: Array<number> = []
      const events = {
        ...log,
        read: (after: number, limit: number) =>
          Effect.suspend(() => {
            turnsOfReads.push(turn)
            return log.read(after, limit)
          })
      }
      const streams = yield* Effect.provideService(makeEventStreams(4), EventLog, events)
      const readAfter = (position: number) => Stream.runDrain(Stream.take(streams.after(position, key).chunks, 4))
      yield* Effect.forEach([0, 1, 2, 3], readAfter, { concurrency: "unbounded" })
      clearImmediate(passing)
      expect(turnsOfReads.length).toBeGreaterThanOrEqual(12)
      expect(new Set(turnsOfReads).size).toBe(turnsOfReads.length)
    }).pipe(Effect.provide(service)))

  it.effect("has a comment every 15 seconds when nothing happens", () =>
    Effect.gen(function*() {
      const written: Array<string> = []
      const reader = yield* Effect.fork(
        Stream.runForEach(yield* body, (piece) => Effect.sync(() => written.push(piece)))
      )
      yield* TestClock.adjust("14999 millis")
      expect(written.join("")).toBe(":\nid: 0\n\n")
      yield* TestClock.adjust("1 millis")
      expect(written.join("")).toBe(":\nid: 0\n\n:\n\n")
      yield* TestClock.adjust("30 seconds")
      expect(written.join("")).toBe(`:\nid: 0\n\n${":\n\n".repeat(3)}`)
      yield* Fiber.interrupt(reader)
    }).pipe(Effect.provide(service)))

  it.effect("reads only some pages ahead of a slow reader, and loses nothing", () =>
    Effect.gen(function*() {
      yield* happen(5000)
      const events = yield* EventLog
      let reads = 0
      const counting = Layer.succeed(EventLog, {
        ...events,
        read: (after, limit) =>
          Effect.suspend(() => {
            reads += 1
            return events.read(after, limit)
          })
      })
      let readsByTheFirst = 0
      const written = yield* Effect.flatMap(Effect.provide(body, counting), (stream) =>
        stream.pipe(
          Stream.tap((piece) =>
            piece.startsWith("id: 1\n")
              ? Effect.zipRight(
                Effect.yieldNow(),
                Effect.sync(() => readsByTheFirst = reads)
              )
              : Effect.void
          ),
          Stream.mapConcat((piece) => piece.match(/^id: [1-9]/gmu) ?? []),
          Stream.take(5000),
          Stream.runCount
        ))
      expect(written).toBe(5000)
      expect(readsByTheFirst).toBeLessThan(25)
    }).pipe(Effect.provide(service)))
})

describe("the places for streams of a key", () => {
  it.effect("are taken before the streams begin, and free at every end of their requests", () =>
    Effect.gen(function*() {
      const streams = yield* makeEventStreams(2)
      const other = AdminKey.make({ ...key, id: CredentialId.make("2") })
      const asking = (by: AdminKey) => Effect.zipRight(streams.takePlace(by), Effect.never)
      const refused = Effect.map(Effect.flip(streams.takePlace(key)), ({ message }) => message)
      const areOpen = (fibers: ReadonlyArray<Fiber.RuntimeFiber<unknown, unknown>>) =>
        Effect.map(Effect.forEach(fibers, Fiber.poll), (exits) => exits.map(Option.isNone))

      const asked = yield* Effect.all([Effect.fork(asking(key)), Effect.fork(asking(key)), Effect.fork(asking(other))])
      yield* Effect.yieldNow()
      expect(yield* areOpen(asked)).toEqual([true, true, true])
      expect(yield* refused).toBe("Too many event streams: close some first.")
      yield* Fiber.interrupt(asked[0])
      const failing = yield* Effect.fork(
        Effect.zipRight(streams.takePlace(key), Effect.dieMessage("the stream failed"))
      )
      yield* Fiber.await(failing)
      const again = yield* Effect.fork(asking(key))
      yield* Effect.yieldNow()
      expect(yield* areOpen([again])).toEqual([true])
      expect(yield* refused).toBe("Too many event streams: close some first.")
      yield* Fiber.interruptAll([...asked, again])
    }).pipe(Effect.provide(service)))
})
