import * as EventStream from "@community-messaging/domain/event/EventStream"
import { open } from "@community-messaging/storage-sqlite/DatabaseFile"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { beforeAll, describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Stream } from "effect"
import * as DataDirectory from "../../src/storage/DataDirectory.ts"
import { dataDirectory } from "../command-line/Terminal.ts"
import { build, serve } from "../program/Program.ts"
import { contentOf, posted, seedDeletions, seedMessages } from "./DueWork.ts"

/**
 * So much work that the server is still busy with it when the test gets the lock of the database, which it tries to get every
 * tenth of a second, also on a slow machine.
 */
const MESSAGES = 1000
const DELETIONS = 1000

/** Longer than the test: if a claim stayed, its work would not be done in time. */
const CLAIM_LEASE = "1 hour"

const CLAIMS = {
  messages: "SELECT count(*) FROM scheduled_messages WHERE leased_until IS NOT NULL",
  deletions: "SELECT count(*) FROM users WHERE deletion_leased_until IS NOT NULL"
}

type Driver = Effect.Effect.Success<ReturnType<typeof open>>

const count = (driver: Driver, query: string): number => Number(driver.prepare(query).pluck().get())

/** Locks the database against writers at a moment when the server has claimed work but not done it yet. */
const lockWithin = (driver: Driver, claims: string): Effect.Effect<void> =>
  Effect.suspend(() => {
    driver.exec("BEGIN IMMEDIATE")
    if (count(driver, claims) > 0) return Effect.void
    driver.exec("ROLLBACK")
    // A turn of the event loop.
    return Effect.zipRight(Effect.sleep(0), lockWithin(driver, claims))
  })

/** The events of finished work, with repetitions. */
const done = EventStream.from(0).pipe(
  Stream.map(({ event }) => event._tag),
  Stream.filter((type) => type === "message.created" || type === "user.deleted")
)

beforeAll(build)

describe("a server that gets SIGTERM", () => {
  for (const kind of ["messages", "deletions"] as const) {
    it.scopedLive(`within a batch of due ${kind} leaves no claims, and the next server does the rest at once, exactly once`, () =>
      Effect.gen(function*() {
        const directory = yield* dataDirectory
        yield* DataDirectory.prepare(directory)
        const filename = yield* DataDirectory.databaseFile(directory)
        yield* Effect.gen(function*() {
          yield* seedMessages(MESSAGES)
          yield* seedDeletions(DELETIONS)
          const driver = yield* open(filename, {})
          const first = yield* serve([], { DATA_DIR: directory, CLAIM_LEASE })
          yield* lockWithin(driver, CLAIMS[kind])
          yield* first.signal("SIGTERM")
          yield* first.says("Stopping")
          driver.exec("ROLLBACK")
          expect((yield* first.ended).code).toBe(0)
          expect([count(driver, CLAIMS.messages), count(driver, CLAIMS.deletions)]).toEqual([0, 0])

          yield* serve([], { DATA_DIR: directory, CLAIM_LEASE })
          const all = yield* Stream.runCollect(Stream.take(done, MESSAGES + DELETIONS))
          const isPost = (type: string) => type === "message.created"
          expect(Arrays.filter(all, isPost)).toHaveLength(MESSAGES)
          expect(yield* posted(MESSAGES * 2)).toEqual(Arrays.makeBy(MESSAGES, (index) => contentOf(index + 1)).sort())
          expect(count(driver, "SELECT count(*) FROM users WHERE deleted_at IS NOT NULL")).toBe(DELETIONS)
        }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
      }).pipe(Effect.provide(NodeContext.layer)))
  }
})
