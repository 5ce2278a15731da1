import * as DatabaseCheck from "@community-messaging/storage-sqlite/DatabaseCheck"
import * as DatabaseCopy from "@community-messaging/storage-sqlite/DatabaseCopy"
import * as DatabaseFile from "@community-messaging/storage-sqlite/DatabaseFile"
import { SCHEMA_VERSION } from "@community-messaging/storage-sqlite/Migrations"
import * as SoleAccess from "@community-messaging/storage-sqlite/SoleAccess"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import { describe, expect, it } from "@effect/vitest"
import SqliteDriver from "better-sqlite3"
import { Deferred, Effect, Fiber, Layer } from "effect"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname } from "node:path"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** An open database, as in a server, and another connection to it. */
const served = Effect.gen(function*() {
  const filename = yield* temporaryFilename
  yield* Layer.build(SqliteDatabase.layer({ filename }))
  const client = yield* Effect.acquireRelease(
    Effect.sync(() => new SqliteDriver(filename)),
    (driver) => Effect.sync(() => driver.close())
  )
  const addEvent = () => void client.prepare("INSERT INTO events (occurred_at, event) VALUES (0, '{}')").run()
  return { filename, addEvent }
})

const emptyFile = Effect.tap(temporaryFilename, (file) => Effect.sync(() => writeFileSync(file, "")))

const eventsIn = (filename: string) =>
  Effect.scoped(
    Effect.map(DatabaseFile.open(filename, { readonly: true }), (driver) =>
      driver.prepare("SELECT sequence FROM events").all().length)
  )

/** Runs statements on the file. Returns what another function finds in it, by default nothing. */
const changed = <A = void>(filename: string, change: string, look?: (driver: SqliteDriver.Database) => A) =>
  Effect.scoped(Effect.map(DatabaseFile.open(filename, {}), (driver) => {
    driver.exec(change)
    return look?.(driver)
  }))

const NO_DATABASE = "no database at all, and long enough to be looked at".repeat(100)

/** Writes rows until the database has many more pages than a copy takes at a time. */
const MANY_PAGES = `
  INSERT INTO audit_records (actor, action, target_id, at, before, after)
  WITH RECURSIVE number(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 4000)
  SELECT '{}', 'x', n, 0, hex(zeroblob(3000)), '' FROM number`

/** A copy of an open database. */
const copied = Effect.gen(function*() {
  const { filename } = yield* served
  const copy = yield* emptyFile
  yield* DatabaseCopy.copy({ filename, readonly: false }, copy, () => {})
  return copy
})

describe("a copy of a database", () => {
  it.scoped("is the state at its beginning, without commits while it is made", () =>
    Effect.gen(function*() {
      const { addEvent, filename } = yield* served
      const copy = yield* emptyFile
      addEvent()
      yield* DatabaseCopy.copy({ filename, readonly: false }, copy, addEvent)
      expect([yield* eventsIn(copy), (yield* eventsIn(filename)) > 1]).toEqual([1, true])
    }))

  it.scoped("is made once, also while others commit, and reports how many of all pages are copied", () =>
    Effect.gen(function*() {
      const { addEvent, filename } = yield* served
      const pages = yield* changed(filename, MANY_PAGES, (driver) => driver.pragma("page_count", { simple: true }))
      const states: Array<DatabaseCopy.CopyProgress> = []
      yield* DatabaseCopy.copy({ filename, readonly: false }, yield* emptyFile, (state) => {
        states.push(state)
        addEvent()
      })
      const [first, ...others] = states
      expect(first).toEqual({ copied: 0, total: pages })
      expect(others.length).toBeGreaterThan(1)
      expect(others.filter(({ copied: done, total }) => done <= 0 || done >= total || total !== pages)).toEqual([])
      const done = states.map(({ copied: copiedPages }) => copiedPages)
      expect(done).toEqual(done.toSorted((one, other) => one - other))
    }))

  it.scoped("is one file, which passes the check and has the version of its schema", () =>
    Effect.gen(function*() {
      const copy = yield* copied
      expect(yield* DatabaseCheck.check(copy)).toBe(SCHEMA_VERSION)
      expect(readdirSync(dirname(copy))).toEqual(["storage.db"])
    }))

  it.scoped("can be interrupted, and the file is then closed", () =>
    Effect.gen(function*() {
      const { filename } = yield* served
      const copy = yield* emptyFile
      const fiber = yield* Effect.fork(Effect.suspend(() => {
        const self = Fiber.getCurrentFiber()
        return DatabaseCopy.copy({ filename, readonly: false }, copy, () => {
          if (self._tag === "Some") self.value.unsafeInterruptAsFork(self.value.id())
        })
      }))
      expect((yield* Fiber.await(fiber))._tag).toBe("Failure")
      expect(existsSync(`${copy}-journal`)).toBe(false)
    }))

  it.scoped("does not continue after an interruption", () =>
    Effect.gen(function*() {
      const { filename } = yield* served
      yield* changed(filename, MANY_PAGES)
      const copy = yield* emptyFile
      const begun = yield* Deferred.make<void>()
      const states: Array<DatabaseCopy.CopyProgress> = []
      const fiber = yield* Effect.fork(DatabaseCopy.copy({ filename, readonly: false }, copy, (state) => {
        states.push(state)
        Deferred.unsafeDone(begun, Effect.void)
      }))
      yield* Deferred.await(begun)
      yield* Fiber.interrupt(fiber)
      expect(states).toHaveLength(1)
    }))

  it.scoped("fails if there is nothing to copy, or if the target cannot be written", () =>
    Effect.gen(function*() {
      const { filename } = yield* served
      const garbage = yield* emptyFile
      writeFileSync(garbage, NO_DATABASE)
      const copying = (from: string, to: string) =>
        Effect.flip(DatabaseCopy.copy({ filename: from, readonly: true }, to, () => {}))
      const nowhere = yield* temporaryFilename
      expect(yield* copying(garbage, yield* emptyFile)).toMatchObject({
        message: "Storage failed: read the database",
        cause: { code: "SQLITE_NOTADB" }
      })
      expect(yield* copying(nowhere, yield* emptyFile)).toMatchObject({
        message: "Storage failed: open the database",
        cause: { code: "SQLITE_CANTOPEN" }
      })
      expect(existsSync(nowhere)).toBe(false)
      expect(yield* copying(filename, garbage)).toMatchObject({
        message: `Storage failed: copy the database to ${garbage}`,
        cause: { code: "SQLITE_NOTADB" }
      })
    }))

  it.scoped("that a newer version wrote does not pass the check", () =>
    Effect.gen(function*() {
      const copy = yield* copied
      yield* changed(
        copy,
        `INSERT INTO community_messaging_migrations (migration_id, name) VALUES (${SCHEMA_VERSION + 1}, 'newer')`
      )
      expect(yield* Effect.flip(DatabaseCheck.check(copy))).toMatchObject({
        _tag: "UnknownSchemaVersion",
        found: SCHEMA_VERSION + 1
      })
    }))

  it.scoped.each<readonly [what: string, file: typeof copied, change: string]>([
    ["no database", Effect.tap(emptyFile, (file) => Effect.sync(() => writeFileSync(file, "hello"))), ""],
    ["an empty file", emptyFile, ""],
    ["the database of another program", emptyFile, "CREATE TABLE other (x)"],
    [
      "a database that has a migration of another name",
      copied,
      "UPDATE community_messaging_migrations SET name = 'other' WHERE migration_id = 2"
    ],
    ["a database that has no migration", copied, "DELETE FROM community_messaging_migrations"]
  ])("is distinguished from %s", ([, made, change]) =>
    Effect.gen(function*() {
      const file = yield* made
      if (change !== "") yield* changed(file, change)
      const errors = yield* Effect.all([
        Effect.flip(DatabaseCheck.identify(file)),
        Effect.flip(DatabaseCheck.check(file))
      ])
      expect(errors.map(({ message }) => message)).toEqual(Array(2).fill("it is not a database of this program"))
    }))

  it.scoped.each<readonly [which: string, from: number, to: number, message: RegExp]>([
    ["some of its pages", 4096 * 8, 4096 * 12, /^it is damaged: /],
    ["even its schema", 100, 4096, /^it is damaged: database disk image is malformed$/]
  ])("does not pass the check if %s cannot be read", ([, from, to, message]) =>
    Effect.gen(function*() {
      const copy = yield* copied
      const bytes = readFileSync(copy)
      bytes.fill(0xff, from, to)
      writeFileSync(copy, bytes)
      expect((yield* Effect.flip(DatabaseCheck.check(copy))).message).toMatch(message)
    }))
})

describe("sole access to a database", () => {
  it.scoped("fails if the file is not a database", () =>
    Effect.gen(function*() {
      const file = yield* emptyFile
      writeFileSync(file, NO_DATABASE)
      expect(yield* Effect.flip(SoleAccess.acquire(file))).toMatchObject({
        message: "Storage failed: lock the database",
        cause: { code: "SQLITE_NOTADB" }
      })
    }))

  it.scoped("is not granted while another connection is open, even an idle one", () =>
    Effect.gen(function*() {
      const { filename } = yield* served
      expect(yield* SoleAccess.acquire(filename)).toBe(false)
    }))

  it.scoped("prevents others from reading, and leaves no data beside the file", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* Effect.scoped(Layer.build(SqliteDatabase.layer({ filename })))
      expect(yield* SoleAccess.acquire(filename)).toBe(true)
      expect(existsSync(`${filename}-wal`)).toBe(false)
      const other = new SqliteDriver(filename, { timeout: 0 })
      expect(() => other.prepare("SELECT * FROM events").all()).toThrow("database is locked")
      other.close()
    }))
})
