import { UserId } from "@community-messaging/domain/account/User"
import { UserDeleted } from "@community-messaging/domain/account/UserEvents"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, Fiber, Queue } from "effect"
import assert from "node:assert/strict"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { test } from "node:test"
import { follow } from "./Follower.ts"

const deleted = (id: string) =>
  Effect.flatMap(EventLog, (log) => log.append(UserDeleted.of({ userId: UserId.make(id) })))

/** Follows the events, does the work meanwhile, and returns the accounts of the first events seen. */
const seenDuring = <E, R>(positionFile: string, count: number, work: Effect.Effect<void, E, R>) =>
  Effect.gen(function*() {
    const seen = yield* Queue.unbounded<string>()
    const follower = yield* Effect.fork(
      follow(positionFile, (event) => Queue.offer(seen, "userId" in event ? event.userId : event._tag))
    )
    yield* work
    const first = yield* Queue.takeN(seen, count)
    yield* Fiber.interrupt(follower)
    return Array.from(first)
  })

test("a follower sees past and new events, and goes on where it stopped", async () => {
  const directory = mkdtempSync(join(tmpdir(), "events-"))
  const positionFile = join(directory, "position")
  try {
    await Effect.gen(function*() {
      yield* deleted("1")
      assert.deepEqual(yield* seenDuring(positionFile, 2, deleted("2")), ["1", "2"])
      yield* deleted("3")
      assert.deepEqual(yield* seenDuring(positionFile, 2, deleted("4")), ["3", "4"])
    }).pipe(
      Effect.provide(StorageSqlite.layer({ filename: join(directory, "community.db") })),
      Effect.runPromise
    )
  } finally {
    rmSync(directory, { recursive: true })
  }
})
