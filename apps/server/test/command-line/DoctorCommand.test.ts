import * as NodeContext from "@effect/platform-node/NodeContext"
import { SystemError } from "@effect/platform/Error"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import * as Doctor from "../../src/doctor/Doctor.ts"
import { besideLive } from "../composed/ComposedServer.ts"
import { toText } from "../transfer/Community.ts"
import { community, dataDirectory, examine, importText, run } from "./Terminal.ts"

/** Everything in the folder: its names, permissions and bytes. */
const contents = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const names = (yield* files.readDirectory(directory, { recursive: true })).toSorted()
    return yield* Effect.forEach(names, (name) =>
      Effect.gen(function*() {
        const { mode, type } = yield* files.stat(`${directory}/${name}`)
        const bytes = type === "File" ? yield* files.readFile(`${directory}/${name}`) : undefined
        return [name, mode, bytes] as const
      }))
  })

const database = (DATA_DIR: string) => `${DATA_DIR}/community-messaging.sqlite`

/** The community in a folder with the program's permissions: these tests run with another umask. */
const owned = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const { DATA_DIR } = yield* community
  const names = yield* files.readDirectory(DATA_DIR, { recursive: true })
  yield* Effect.forEach(names, (name) => files.chmod(`${DATA_DIR}/${name}`, name === "workers" ? 0o700 : 0o600))
  return { DATA_DIR }
})

const CHECKS = [
  "settings",
  "data",
  "rights",
  "disk",
  "schema",
  "integrity",
  "epoch",
  "clock",
  "workers",
  "open files"
]

layer(NodeContext.layer, { excludeTestServices: true })("the doctor", (it) => {
  it.scoped("finds no problem in new data, changes nothing, and names a file that other users may access", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* owned
      const before = yield* contents(DATA_DIR)
      const { findings, succeeded } = yield* examine({ DATA_DIR, MAX_CONNECTIONS: "1" })
      expect([succeeded, findings.map(({ check }) => check)]).toEqual([true, CHECKS])
      // The disk of the tests' machine may be small.
      const levels = findings.flatMap(({ check, level }) => check === "disk" || check === "open files" ? [] : [level])
      expect(new Set(levels)).toEqual(new Set(["ok"]))
      expect(yield* contents(DATA_DIR)).toEqual(before)

      const files = yield* FileSystem.FileSystem
      yield* files.chmod(database(DATA_DIR), 0o644)
      const accessible = yield* examine({ DATA_DIR })
      expect([accessible.succeeded, accessible.of("rights")]).toEqual([true, {
        check: "rights",
        level: "warning",
        found: "other users may access community-messaging.sqlite",
        advice: `chmod -R go-rwx ${DATA_DIR}`
      }])
    }))

  it.scoped("works while a service runs, counts its worker number, and does not disturb it", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      yield* Effect.gen(function*() {
        const { of, succeeded } = yield* examine({ DATA_DIR })
        expect([succeeded, of("workers")?.found]).toEqual([
          true,
          "1 of 1024 worker numbers are taken, one by each running process"
        ])
        expect((yield* run(["webhook", "show", "601"], { DATA_DIR })).succeeded).toBe(true)
      }).pipe(Effect.provide(besideLive({ DATA_DIR })))
    }))

  it.scoped("finds damage in the database", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const { DATA_DIR } = yield* community
      const bytes = yield* files.readFile(database(DATA_DIR))
      yield* files.writeFile(database(DATA_DIR), bytes.fill(7, Math.floor(bytes.length / 2)))
      const { of, succeeded } = yield* examine({ DATA_DIR })
      // SQLite finds the damage, or cannot run its check.
      const damage = of("integrity") ?? of("database")
      expect([succeeded, damage?.level, damage?.advice]).toEqual([
        false,
        "problem",
        "stop the server and restore a backup"
      ])
    }))

  it.scoped("recommends a backup for a file that is not a database, but not if the file cannot be opened", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* files.makeTempDirectoryScoped()
      yield* files.writeFile(database(DATA_DIR), new Uint8Array(8192).fill(7))
      const invalid = yield* examine({ DATA_DIR })
      expect([invalid.succeeded, invalid.of("database")?.level]).toEqual([false, "problem"])
      expect(invalid.of("database")?.found).toContain("file is not a database")
      expect(invalid.of("database")?.advice).toBe("stop the server and restore a backup")

      // Like missing rights, which root would have.
      yield* files.remove(database(DATA_DIR))
      yield* files.makeDirectory(database(DATA_DIR))
      const closed = yield* examine({ DATA_DIR })
      expect([closed.succeeded, closed.of("database")?.level]).toEqual([false, "problem"])
      expect(closed.of("database")?.found).toContain("unable to open database file")
      expect(closed.of("database")?.advice).not.toContain("backup")
    }))

  it.scoped("names a folder that this user must not read, in the words of the system", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const directory = yield* files.makeTempDirectoryScoped()
      // Missing rights would not stop root.
      const denied = (method: string) =>
        new SystemError({
          reason: "PermissionDenied",
          module: "FileSystem",
          method,
          pathOrDescriptor: directory,
          description: `EACCES: permission denied, ${method} '${directory}'`
        })
      const refused = (without: Partial<FileSystem.FileSystem>) =>
        Effect.provideService(Doctor.folder(directory, { migrate: true, snowflakeEpoch: 0 }), FileSystem.FileSystem, {
          ...files,
          ...without
        })
      const findings = [
        ...yield* refused({ exists: () => denied("access") }),
        ...yield* refused({ readDirectory: () => denied("scandir") })
      ]
      expect(findings.flatMap(({ found, level }) => level === "problem" ? found : [])).toEqual([
        `${directory} cannot be read: EACCES: permission denied, access '${directory}'`,
        `${directory} cannot be read: EACCES: permission denied, scandir '${directory}'`
      ])
    }))

  it.scoped("finds an epoch that does not fit the data, and ids that are ahead of the clock", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const early = yield* examine({ DATA_DIR, SNOWFLAKE_EPOCH: "2016-01-01T00:00:00Z" })
      expect([early.succeeded, early.of("epoch")?.advice]).toEqual([
        false,
        "set SNOWFLAKE_EPOCH to 2015-01-01T00:00:00.000Z"
      ])
      yield* importText(DATA_DIR, toText([{ kind: "user", id: "9000000000000000000", username: "future" }]))
      const { of, succeeded } = yield* examine({ DATA_DIR })
      expect([succeeded, of("clock")?.level]).toEqual([true, "warning"])
    }))

  it.scoped("reports that there is no data yet, and creates none", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const missing = yield* examine({ DATA_DIR })
      expect([missing.succeeded, missing.of("data")?.level, yield* files.exists(DATA_DIR)]).toEqual([
        true,
        "warning",
        false
      ])
      yield* files.makeDirectory(DATA_DIR)
      const empty = yield* examine({ DATA_DIR })
      expect([empty.succeeded, empty.of("data")?.level, yield* files.readDirectory(DATA_DIR)]).toEqual([
        true,
        "warning",
        []
      ])
    }))

  it.scoped("requires more open files for more connections", () =>
    Effect.gen(function*() {
      const { of } = yield* examine({ STORAGE: "memory", MAX_CONNECTIONS: "1000000" })
      expect(of("open files")?.found).toContain("needs 1000356")
    }))

  it.scoped("names a wrong setting", () =>
    Effect.gen(function*() {
      const { stderr, stdout, succeeded } = yield* run(["doctor"], { PORT: "many" })
      expect(succeeded).toBe(false)
      expect(stdout).toContain("problem  settings  PORT must be a whole number from 0 to 65535, not \"many\"")
      expect(stderr).toBe("community-messaging: problems found: 1\n")
    }))
})
