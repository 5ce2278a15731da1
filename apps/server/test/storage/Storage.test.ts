import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { expect, layer, vi } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as Storage from "../../src/storage/Storage.ts"

layer(NodeContext.layer)("the migration of a database", (it) => {
  it.scoped("waits for another process that creates its tables", () =>
    Effect.gen(function*() {
      const directory = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())
      const filename = `${directory}/community-messaging.sqlite`
      // Writes the first bytes, without a table.
      yield* Effect.scoped(Effect.provide(SqliteClient.make({ filename }), Reactivity.layer))
      const creation = Effect.scoped(Layer.build(SqliteDatabase.layer({ filename })))
      yield* Effect.acquireRelease(
        Effect.sync(() => vi.spyOn(realTime, "sleep").mockReturnValue(Effect.asVoid(Effect.orDie(creation)))),
        (spy) => Effect.sync(() => spy.mockRestore())
      )
      expect(yield* Storage.migrateSqlite(directory)).toEqual({
        database: filename,
        from: SCHEMA_VERSION,
        to: SCHEMA_VERSION
      })
    }))
})
