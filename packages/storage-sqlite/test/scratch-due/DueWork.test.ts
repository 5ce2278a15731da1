import { dueWorkLaws } from "@community-messaging/storage-laws/due-work/DueWorkLaws"
import { dueWorkModelLaws } from "@community-messaging/storage-laws/due-work/DueWorkModelLaws"
import { monthLaws } from "@community-messaging/storage-laws/due-work/MonthLaws"
import { twoServersLaws } from "@community-messaging/storage-laws/due-work/TwoServersLaws"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, Layer } from "effect"
import { temporaryFilename, temporaryStorage } from "../TemporaryDatabase.ts"

dueWorkLaws(temporaryStorage)
const two = Effect.gen(function*() {
  const filename = yield* temporaryFilename
  const build = Layer.build(Layer.fresh(StorageSqlite.layer({ filename })))
  return [yield* build, yield* build] as const
})
twoServersLaws(two)
dueWorkModelLaws(two)
monthLaws(two)
