import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { SnowflakeHistory } from "@community-messaging/domain/shared-kernel/SnowflakeHistory"
import * as DatabaseFile from "@community-messaging/storage-sqlite/DatabaseFile"
import * as Inspection from "@community-messaging/storage-sqlite/Inspection"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** Makes a database with one account, and returns its id. */
const made = (filename: string) =>
  Effect.gen(function*() {
    const history = yield* SnowflakeHistory
    yield* history.storeEpoch(1000)
    return (yield* Saved.user(Samples.user())).id
  }).pipe(Effect.provide(StorageSqlite.layer({ filename })))

const files = (filename: string) =>
  readdirSync(dirname(filename)).toSorted().map((name) =>
    [name, readFileSync(`${dirname(filename)}/${name}`).toString("base64")] as const
  )

describe("an inspection", () => {
  it.scoped("returns the properties of the database, and does not change the folder", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const id = yield* made(filename)
      const before = files(filename)
      expect(yield* Inspection.inspect(filename)).toEqual({
        damages: [],
        isIncremental: true,
        schemaVersion: Option.some(SCHEMA_VERSION),
        epoch: Option.some(1000),
        largestId: Option.some(id)
      })
      expect(files(filename)).toEqual(before)
    }))

  it.scoped("reads the log of a crash, and does not change it", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const crashed = yield* temporaryFilename
      const id = yield* Effect.gen(function*() {
        const user = yield* Saved.user()
        // The files that a crash at this moment would leave.
        for (const end of ["", "-wal"]) cpSync(`${filename}${end}`, `${crashed}${end}`)
        return user.id
      }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
      const log = readFileSync(`${crashed}-wal`)
      expect(log.length).toBeGreaterThan(0)
      expect((yield* Inspection.inspect(crashed)).largestId).toEqual(Option.some(id))
      expect(readFileSync(`${crashed}-wal`).equals(log)).toBe(true)
    }))

  it.scoped("returns the damage, and nothing else", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* made(filename)
      const bytes = readFileSync(filename)
      bytes.fill(0xff, 4096 * 8, 4096 * 40)
      writeFileSync(filename, bytes)
      const { damages, ...others } = yield* Inspection.inspect(filename)
      expect(damages.length).toBeGreaterThan(0)
      expect(damages).not.toContain("ok")
      expect(others).toEqual({
        isIncremental: true,
        schemaVersion: Option.none(),
        epoch: Option.none(),
        largestId: Option.none()
      })
    }))

  it.scoped.each<readonly [which: string, change: string, version: number]>([
    ["another program", "DROP TABLE community_messaging_migrations", 0],
    [
      "an earlier version",
      `DELETE FROM community_messaging_migrations WHERE migration_id = ${SCHEMA_VERSION}`,
      SCHEMA_VERSION - 1
    ],
    [
      "a newer version",
      `INSERT INTO community_messaging_migrations (migration_id, name) VALUES (${SCHEMA_VERSION + 1}, 'newer')`,
      SCHEMA_VERSION + 1
    ]
  ])("returns no ids of a database of %s, whose tables may differ", ([, change, version]) =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* made(filename)
      yield* Effect.scoped(Effect.map(DatabaseFile.open(filename, {}), (driver) => driver.exec(change)))
      expect(yield* Inspection.inspect(filename)).toEqual({
        damages: [],
        isIncremental: true,
        schemaVersion: Option.some(version),
        epoch: Option.none(),
        largestId: Option.none()
      })
    }))

  it.scoped("fails for a file that does not exist, and creates none, and for a file that is not a database", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const inspected = Effect.flip(Inspection.inspect(filename))
      expect(yield* inspected).toMatchObject({ operation: "open the database", cause: { code: "SQLITE_CANTOPEN" } })
      expect(files(filename)).toEqual([])
      writeFileSync(filename, "no database at all, and long enough to be looked at".repeat(100))
      expect(yield* inspected).toMatchObject({ operation: "inspect the database", cause: { code: "SQLITE_NOTADB" } })
    }))
})
