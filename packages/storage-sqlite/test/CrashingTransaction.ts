import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect } from "effect"

const [, , filename = ""] = process.argv

// More than SQLite's cache, so that the log on the disk contains a part of the transaction.
const bytes = new Uint8Array(24 * 1024 * 1024)

/** Commits one account, writes another one in a transaction, reports it, and never ends. */
const crashing = Effect.gen(function*() {
  const { atomically } = yield* UnitOfWork
  const { save } = yield* UserRepository
  const { append } = yield* EventLog
  const { put } = yield* AvatarStore
  yield* save(Samples.user({ id: UserId.make("1"), username: "kept" }))
  return yield* atomically(Effect.gen(function*() {
    yield* save(Samples.user({ id: UserId.make("2"), username: "lost" }))
    yield* append(Samples.event())
    yield* put(Samples.avatar({ bytes }))
    process.send?.("written")
    return yield* Effect.never
  }))
})

Effect.runFork(Effect.provide(crashing, StorageSqlite.layer({ filename })))
