import { atomically, paused } from "@community-messaging/domain-contract/Atomically"
import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserId } from "@community-messaging/domain/account/User"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { MOVED_AT_ONCE } from "@community-messaging/storage-postgres/migrations/0011KeepLogsInParts"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Fiber, Layer, Queue, Redacted, Stream } from "effect"
import type { Client } from "pg"
import { clientOf, withStorage } from "./SharedTransactions.ts"
import { migrated } from "./TemporaryDatabase.ts"

const WRITERS = 32
const UNITS = 25

/** A server on the database. */
const serverOn = (url: string) => Layer.build(StoragePostgres.layer({ url: Redacted.make(url), poolSize: WRITERS / 2 }))

const query = (client: Client, text: string) => Effect.promise(() => client.query(text))

const eventOf = (writer: number, unit: number) => Samples.event(UserId.make(String(writer * 1000 + unit)))

/** The event of a server that is killed right after the commit. */
const left = (userId: number) =>
  `INSERT INTO new_events (occurred_at, event)
  VALUES (0, '{"_tag":"user.updated","version":1,"userId":"${userId}","changed":["email"]}')`

const append = (writer: number, unit: number) =>
  Effect.flatMap(EventLog, (events) => events.append(eventOf(writer, unit)))

/** Writers that append one event after another. Each third unit is rolled back after its event. */
const writing = Effect.forEach(
  Arrays.range(1, WRITERS),
  (writer) =>
    Effect.forEach(Arrays.range(1, UNITS), (unit) =>
      unit % 3 === 0
        ? Effect.ignore(atomically(Effect.zipRight(append(writer, unit), Effect.fail("rolled back"))))
        : atomically(append(writer, unit)), { discard: true }),
  { concurrency: "unbounded", discard: true }
)

const KEPT = Arrays.range(1, UNITS).filter((unit) => unit % 3 !== 0)

/** The events that a reader gets who follows the log from the beginning: their users. */
const following = (count: number) =>
  EventStream.from(0).pipe(
    Stream.take(count),
    Stream.runCollect,
    Effect.map((chunk) =>
      Array.from(chunk, ({ event, sequence }) => ({
        sequence,
        id: event._tag === "user.updated" ? Number(event.userId) : 0
      }))
    )
  )

describe("the order of events, with 32 writers on two servers", () => {
  it.scopedLive("no reader misses an event, or gets a later one before an earlier one", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [one, other] = [yield* serverOn(url), yield* serverOn(url)]
      const count = 2 * WRITERS * KEPT.length
      const readers = yield* Effect.forEach(
        [one, one, other, other],
        (server) => Effect.fork(Effect.provide(following(count), server))
      )
      yield* Effect.all([Effect.provide(writing, one), Effect.provide(writing, other)], { concurrency: 2 })
      const read = yield* Effect.forEach(readers, (fiber) => Fiber.join(fiber))
      const [first, ...others] = read.map((events) => events.map(({ id }) => id))
      expect(others).toEqual(others.map(() => first))
      // Both servers have the same writers, so each event comes twice.
      for (const writer of Arrays.range(1, WRITERS)) {
        const units = first?.filter((id) => Math.floor(id / 1000) === writer).map((id) => id % 1000) ?? []
        expect(units.toSorted((self, that) => self - that)).toEqual(KEPT.flatMap((unit) => [unit, unit]))
        expect(Arrays.dedupe(units)).toEqual(KEPT)
      }
      expect(read[0]?.every(({ sequence }, index) => sequence > (read[0]?.[index - 1]?.sequence ?? 0))).toBe(true)
    }))

  it.scopedLive("a long unit of work delays no other, and its event comes after those committed before it", () =>
    withStorage({}, () =>
      Effect.gen(function*() {
        const long = yield* paused(append(9, 1))
        yield* atomically(append(1, 1))
        yield* atomically(append(1, 2))
        const early = yield* following(2)
        yield* Effect.flatten(long.release)
        expect(early.map(({ id }) => id)).toEqual([1001, 1002])
        expect((yield* following(3)).map(({ id }) => id)).toEqual([1001, 1002, 9001])
      })))

  it.scopedLive("an event whose server stops between commit and numbering is still read", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const client = yield* clientOf(url)
      yield* Effect.scoped(Effect.provide(append(1, 1), yield* serverOn(url)))
      yield* query(client, left(2001))
      expect((yield* Effect.provide(following(2), yield* serverOn(url))).map(({ id }) => id)).toEqual([1001, 2001])
    }))

  it.scopedLive("a reader is notified of an event that a stopped server left without a number, without any other event", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const client = yield* clientOf(url)
        const reader = yield* Effect.fork(following(1))
        yield* query(client, left(2001))
        expect((yield* Fiber.join(reader)).map(({ id }) => id)).toEqual([2001])
      })))

  it.scopedLive("an event of a transaction with a smaller number than those in the log is not missed", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const client = yield* clientOf(url)
        const events = yield* EventLog
        yield* query(client, `BEGIN; ${left(2001)}`)
        yield* Effect.forEach(Arrays.range(1, 5), (unit) => Effect.zipRight(append(1, unit), events.end), {
          discard: true
        })
        yield* query(client, "COMMIT")
        expect((yield* following(6)).map(({ id }) => id)).toEqual([1001, 1002, 1003, 1004, 1005, 2001])
      })))

  it.scopedLive("an event of a database that was restored on another server is read before later ones", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const client = yield* clientOf(url)
      // The server that wrote it had larger transaction numbers.
      yield* query(client, `${left(2001)}; UPDATE new_events SET xid = '4000000000'`)
      const server = yield* serverOn(url)
      yield* Effect.provide(append(1, 1), server)
      expect((yield* Effect.provide(following(2), server)).map(({ id }) => id)).toEqual([2001, 1001])
    }))

  it.scopedLive("entries of one transaction are numbered in their order, also if there are many", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const client = yield* clientOf(url)
      const count = 2 * MOVED_AT_ONCE + 1
      yield* query(
        client,
        `BEGIN;
        INSERT INTO new_events (occurred_at, event)
        SELECT 0, '{"_tag":"user.updated","version":1,"userId":"' || id || '","changed":["email"]}'
        FROM generate_series(1, ${count}) AS id;
        INSERT INTO new_member_changes (guild_id, user_id) SELECT 1, id FROM generate_series(1, ${count}) AS id;
        COMMIT`
      )
      const read = yield* Effect.provide(following(count), yield* serverOn(url))
      expect(read.map(({ id }) => id)).toEqual(Arrays.range(1, count))
      const { rows } = yield* query(
        client,
        `SELECT count(*)::int AS kept, bool_and(user_id = sequence) AS ordered,
          (SELECT count(*)::int FROM new_member_changes) AS waiting
        FROM member_changes`
      )
      expect(rows).toEqual([{ kept: count, ordered: true, waiting: 0 }])
    }))
})

describe("wake-ups", () => {
  it.scopedLive("a numbered event notifies the other servers", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const client = yield* clientOf(url)
      const payload = new Promise<string | undefined>((resolve) => {
        client.on("notification", (notification) => resolve(notification.payload))
      })
      yield* query(client, "LISTEN community_messaging")
      yield* Effect.provide(append(1, 1), yield* serverOn(url))
      expect(yield* Effect.promise(() => payload)).toBe("1 0")
    }))

  it.scopedLive("a notification of another server notifies subscribers", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const client = yield* clientOf(url)
        const events = yield* EventLog
        const told = yield* events.subscribe
        // The connection listens after its first response.
        yield* events.end
        yield* query(client, "SELECT pg_notify('community_messaging', '7 0')")
        yield* Queue.take(told)
      })))

  it.scopedLive("a server that loses its connection for the log opens another one, and misses nothing", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const client = yield* clientOf(url)
        const other = yield* serverOn(url)
        const events = yield* EventLog
        const reader = yield* Effect.fork(following(20))
        yield* events.end
        for (const unit of Arrays.range(1, 20)) {
          yield* query(
            client,
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND query LIKE '%keep_logs%' AND pid <> pg_backend_pid()`
          )
          yield* Effect.provide(append(1, unit), other)
        }
        expect((yield* Fiber.join(reader)).map(({ id }) => id - 1000)).toEqual(Arrays.range(1, 20))
      })))
})
