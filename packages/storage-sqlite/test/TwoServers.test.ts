import { dueWorkModelContract } from "@community-messaging/domain-contract/due-work/DueWorkModelContract"
import { twoServersContract } from "@community-messaging/domain-contract/due-work/TwoServersContract"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** Two ways to one file, each with a connection of its own, as two processes have them. */
const twoConnections = Effect.gen(function*() {
  const filename = yield* temporaryFilename
  const connection = Layer.build(StorageSqlite.layer({ filename }))
  return [yield* connection, yield* connection] as const
})

describe("two connections to one file", () => {
  twoServersContract(twoConnections)
  dueWorkModelContract(twoConnections)
})
