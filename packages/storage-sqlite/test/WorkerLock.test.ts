import { WorkerNumber } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import * as WorkerLock from "@community-messaging/storage-sqlite/WorkerLock"
import { describe, expect, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { existsSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { temporaryFilename } from "./TemporaryDatabase.ts"

/** The file name of a server's database, in a new folder. */
const filenameOfServer = Effect.map(temporaryFilename, (file) => join(dirname(file), "community-messaging.sqlite"))

const filesBeside = (filename: string) =>
  readdirSync(dirname(filename), { recursive: true, encoding: "utf8" }).toSorted()

describe("the lock of a worker number", () => {
  it.scoped("is granted to one holder at a time, separately for each number", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const first = yield* WorkerLock.acquire(filename, 1)
      expect([first, yield* WorkerLock.acquire(filename, 1), yield* WorkerLock.acquire(filename, 2)])
        .toEqual([true, false, true])
    }))

  it.scoped("gives each layer on the file the first free number, until the layer is closed", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* WorkerLock.acquire(filename, 1)
      const number = Effect.flatMap(
        Layer.build(WorkerLock.layer(filename)),
        (context) => Context.get(context, WorkerNumber).current
      )
      const closed = yield* Effect.scoped(number)
      expect([closed, yield* number, yield* number]).toEqual([0, 0, 2])
    }))

  it.scoped("is the same for a symbolic link to the database", () =>
    Effect.gen(function*() {
      for (const filename of [yield* temporaryFilename, yield* filenameOfServer]) {
        const link = join(dirname(filename), "link.db")
        writeFileSync(filename, "")
        symlinkSync(filename, link)
        yield* WorkerLock.acquire(filename, 7)
        expect(yield* WorkerLock.acquire(link, 7)).toBe(false)
      }
    }))

  it.scoped("is one file beside the database, without a journal", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* WorkerLock.acquire(filename, 7)
      expect(filesBeside(filename)).toEqual(["storage.db.worker-7.lock"])
    }))

  it.scoped("is in the server's folder of locks, closed to other users, for the database of a server", () =>
    Effect.gen(function*() {
      const filename = yield* filenameOfServer
      expect(yield* WorkerLock.acquire(filename, 7)).toBe(true)
      expect(filesBeside(filename)).toEqual(["workers", join("workers", "7.lock")])
      expect(statSync(join(dirname(filename), "workers")).mode & 0o777).toBe(0o700)
      expect(yield* WorkerLock.acquire(filename, 8)).toBe(true)
    }))

  it.scoped("fails if the folder of the locks cannot be created", () =>
    Effect.gen(function*() {
      const filename = yield* filenameOfServer
      writeFileSync(join(dirname(filename), "workers"), "")
      const failure = yield* Effect.flip(WorkerLock.acquire(filename, 7))
      expect(failure.message).toBe("Storage failed: make the folder of the locks")
      expect(failure.cause).toMatchObject({ code: "EEXIST" })
    }))

  it.scoped("fails if the file is not a lock file", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      writeFileSync(`${filename}.worker-7.lock`, "no database at all, and long enough to be looked at".repeat(100))
      const failure = yield* Effect.flip(WorkerLock.acquire(filename, 7))
      expect(failure.message).toBe("Storage failed: lock a file")
      expect(failure.cause).toMatchObject({ code: "SQLITE_NOTADB" })
      expect(existsSync(`${filename}.worker-7.lock`)).toBe(true)
    }))
})
