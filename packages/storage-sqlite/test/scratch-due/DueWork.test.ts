import { dueWorkLaws } from "@community-messaging/storage-laws/due-work/DueWorkLaws"
import { twoServersLaws } from "@community-messaging/storage-laws/due-work/TwoServersLaws"
import { dueWorkModelLaws } from "@community-messaging/storage-laws/due-work/DueWorkModelLaws"
import { monthLaws } from "@community-messaging/storage-laws/due-work/MonthLaws"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { Effect, Layer } from "effect"
import { temporaryStorage, temporaryFilename } from "../TemporaryDatabase.ts"

dueWorkLaws(temporaryStorage)
const two = Effect.gen(function*() {
    const filename = yield* temporaryFilename
    const build = Layer.build(Layer.fresh(StorageSqlite.layer({ filename })))
    return [yield* build, yield* build] as const
  })
twoServersLaws(two)
dueWorkModelLaws(two)
monthLaws(two)
