import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"
import { beforeAll } from "vitest"
import { community, dataDirectory, importText, run } from "../command-line/Terminal.ts"
import { toText } from "../transfer/Community.ts"
import { build, MAIN, serve, start } from "./Program.ts"

const SAMPLE = fileURLToPath(new URL("../../../../docs/samples/community.ndjson", import.meta.url))

// A process starts slowly, so only the tested commands are processes here. All others run in the process of the tests.

/** Runs a shell command line, in which `$0` is Node and `$1` the program. */
const shell = (line: string, DATA_DIR: string, input = "") => {
  const { status, stderr, stdout } = spawnSync("sh", ["-c", line, process.execPath, MAIN], {
    env: { DATA_DIR, PATH: "/usr/bin:/bin" },
    encoding: "utf8",
    input,
    maxBuffer: 64 * 1024 * 1024
  })
  return { status, stderr, stdout }
}

/** Accounts; some thousand of them fit into a transaction. */
const users = (from: number, to: number) =>
  toText(
    Array.from({ length: to - from + 1 }, (_, index) => ({
      kind: "user",
      id: String(from + index),
      username: "ada",
      bio: "x".repeat(400)
    }))
  )

const exported = (DATA_DIR: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const file = yield* files.makeTempFileScoped()
    yield* run(["export", "--force", file], { DATA_DIR })
    return yield* files.readFileString(file)
  })

const linesOf = (DATA_DIR: string) => Effect.map(exported(DATA_DIR), (text) => text.split("\n").length - 1)

/** A data directory with more accounts than a pipe holds. */
const manyUsers = Effect.gen(function*() {
  const DATA_DIR = yield* dataDirectory
  const text = users(1, 3000)
  yield* importText(DATA_DIR, text)
  return { DATA_DIR, text }
})

const Issued = Schema.parseJson(Schema.Struct({ token: Schema.String }))

const Members = Schema.Struct({ total_result_count: Schema.Int })

beforeAll(build)

layer(NodeContext.layer, { excludeTestServices: true })("import and export by the standard streams", (it) => {
  it.scoped("read and write the same lines as with files", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const { DATA_DIR, file } = yield* community
      const { status, stdout } = shell("\"$0\" \"$1\" export -", DATA_DIR)
      expect([status, stdout]).toEqual([0, yield* files.readFileString(file)])
      const elsewhere = `${DATA_DIR}-elsewhere`
      expect((yield* run(["export", "-"], { DATA_DIR: elsewhere })).succeeded).toBe(false)
      expect(shell("\"$0\" \"$1\" import -", elsewhere, stdout).status).toBe(0)
      expect(yield* exported(elsewhere)).toBe(stdout)
    }))

  it.scoped("have only lines in the standard output, no progress without a terminal, and end silently if the reader does", () =>
    Effect.gen(function*() {
      const { DATA_DIR, text } = yield* manyUsers
      const { stderr, stdout } = shell("\"$0\" \"$1\" export -", DATA_DIR)
      expect(stdout.split("\n").length).toBe(text.split("\n").length)
      expect(stderr).toMatch(/^user: 3000\n3,000 lines in \d+\.\d s, [\d,]+ lines\/s\n$/)
      const closed = shell("{ \"$0\" \"$1\" export -; echo \"code $?\" >&2; } | head -n 1", DATA_DIR)
      expect([closed.stdout.split("\n").length, closed.stderr]).toEqual([2, "code 141\n"])
    }))

  it.scoped("fail, like other commands, if the output cannot be written or its reader has ended", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* manyUsers
      const exporting = shell("\"$0\" \"$1\" export - > /dev/full", DATA_DIR)
      expect([exporting.status, exporting.stderr]).toEqual([1, expect.stringContaining("ENOSPC")])
      const tooLarge = shell("ulimit -f 200; \"$0\" \"$1\" export \"$DATA_DIR/../out.ndjson\"", DATA_DIR)
      expect([tooLarge.status, tooLarge.stderr]).toEqual([
        1,
        expect.stringMatching(/^community-messaging: .*out\.ndjson: EFBIG/)
      ])
      const full = shell("\"$0\" \"$1\" token issue admin --name ops --acl '*' > /dev/full", DATA_DIR)
      expect([full.status, full.stderr.split("\n").slice(1)]).toEqual([1, [expect.stringContaining("ENOSPC"), ""]])
      // The page is longer than a pipe holds.
      const closed = shell("{ \"$0\" \"$1\" user list --limit 1000 --json; echo \"code $?\" >&2; } | true", DATA_DIR)
      expect(closed.stderr).toBe("code 141\n")
    }))

  it.scoped("name the standard input in the problems of lines, and refuse an empty one, whose writer may have failed", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* dataDirectory
      const empty = shell("\"$0\" \"$1\" import -", DATA_DIR)
      expect([empty.status, empty.stderr]).toEqual([1, expect.stringContaining("standard input is empty")])
      const { status, stderr } = shell("\"$0\" \"$1\" import -", `${DATA_DIR}-other`, "\n{}\n")
      expect([status, stderr.split("\n")[1]]).toEqual([
        1,
        expect.stringMatching(/^standard input:2: unknown: kind: /)
      ])
    }))

  it.scoped("import nothing of a strict import with an invalid line, also from a named pipe", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const before = yield* exported(DATA_DIR)
      const line = "cat | \"$0\" \"$1\" import --strict /dev/stdin"
      const { status, stderr } = shell(line, DATA_DIR, `${users(1000, 1001)}{}\n`)
      expect(stderr).toContain("nothing was imported: invalid lines: 1")
      expect([status, yield* exported(DATA_DIR)]).toEqual([1, before])
    }))

  it.scoped("leave no copy of the standard input behind when they are killed", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const TMPDIR = yield* files.makeTempDirectoryScoped()
      const program = yield* start(["import", "--strict", "-"], { DATA_DIR, TMPDIR })
      // More than a pipe holds: the copy has begun.
      yield* program.type(users(1, 3000))
      yield* program.signal("SIGKILL")
      yield* program.ended
      const left = yield* files.readDirectory(TMPDIR, { recursive: true })
      const types = yield* Effect.forEach(
        left,
        (name) => Effect.map(files.stat(`${TMPDIR}/${name}`), ({ type }) => type)
      )
      // The folder of the copy.
      expect(left).toEqual([expect.stringMatching(/^community-messaging-/)])
      expect(types).toEqual(["Directory"])
    }))

  it.scoped("remove the bytes of accounts that they erase", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const account = { kind: "user", id: "1", username: "ada", bio: "Poetical science ".repeat(2000) }
      const holdsBio = Effect.map(
        files.readFile(`${DATA_DIR}/community-messaging.sqlite`),
        (bytes) => Buffer.from(bytes).includes("Poetical science")
      )
      yield* importText(DATA_DIR, toText([account]))
      expect(yield* holdsBio).toBe(true)
      yield* importText(DATA_DIR, toText([{ ...account, deleted_at: "2024-06-30T00:00:00Z" }]))
      expect(yield* holdsBio).toBe(false)
    }))

  it.scoped("report the committed lines at an interruption, and a second import adds the rest", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* dataDirectory
      const program = yield* start(["import", "-", "--data-dir", DATA_DIR])
      // The invalid line is in the second transaction, so the first one is committed when it is reported.
      yield* Effect.fork(program.type(`${users(1, 1999)}{}\n${users(2001, 6000)}`))
      yield* program.says(":2000: unknown")
      yield* program.signal("SIGINT")
      const { code, stderr } = yield* program.ended
      const committed = Number(/the first (\d+) lines are imported/.exec(stderr)?.[1] ?? 0)
      const kept = yield* linesOf(DATA_DIR)
      expect(code).toBe(130)
      expect(stderr).toContain(
        `continue with line ${committed + 1}: the rest | community-messaging import - --data-dir ${DATA_DIR}\n`
      )
      expect(committed).toBeGreaterThan(0)
      expect(kept).toBeGreaterThanOrEqual(committed - 1)
      expect(kept).toBeLessThan(5999)
      yield* importText(DATA_DIR, users(1, 6000))
      expect(yield* linesOf(DATA_DIR)).toBe(6000)
    }))
})

layer(NodeContext.layer, { excludeTestServices: true })("backup and restore", (it) => {
  it.scoped("a backup is made while a server serves, and restored when it has stopped", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const file = `${DATA_DIR}.backup`
      const server = yield* serve([], { DATA_DIR })
      const made = yield* run(["backup", file], { DATA_DIR })
      expect([made.succeeded, made.stdout]).toEqual([true, ""])
      expect(made.stderr).toMatch(/a backup of \d+ MB, schema version \d+, checked\.\n$/)
      expect(yield* run(["restore", file], { DATA_DIR })).toMatchObject({
        succeeded: false,
        stderr: `community-messaging: DATA_DIR ${DATA_DIR} cannot be used: ` +
          "a server or another command uses it: stop it first\n"
      })
      yield* server.signal("SIGTERM")
      yield* server.ended
      const restored = yield* run(["restore", file], { DATA_DIR })
      expect(restored.succeeded).toBe(true)
      expect(restored.stderr).toContain("Now start the server.")
      yield* serve([], { DATA_DIR })
    }))

  it.scoped("a backup or an export does not replace a file without --force, and never one that processes lock", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const backup = `${DATA_DIR}.backup`
      yield* run(["backup", backup], { DATA_DIR })
      expect(yield* run(["backup", backup], { DATA_DIR })).toMatchObject({
        succeeded: false,
        stderr: `community-messaging: ${backup}: it exists: use --force to replace it\n`
      })
      expect((yield* run(["backup", "--force", backup], { DATA_DIR })).succeeded).toBe(true)
      for (const command of ["backup", "export"]) {
        for (const name of ["workers/use.lock", "workers/0.lock", "demo.lock"]) {
          const file = `${DATA_DIR}/${name}`
          expect(yield* run([command, "--force", file], { DATA_DIR })).toMatchObject({
            succeeded: false,
            stderr: `community-messaging: ${file}: it is a file of the database\n`
          })
        }
      }
    }))

  for (const command of ["backup", "restore"]) {
    it.effect(`${command} reports that there is none in memory`, () =>
      Effect.gen(function*() {
        const { stderr, succeeded } = yield* run([command, "file"], { STORAGE: "memory" })
        expect([succeeded, stderr]).toEqual([
          false,
          "community-messaging: STORAGE is memory: its data ends with the process, and has no backup\n"
        ])
      }))
  }
})

layer(NodeContext.layer, { excludeTestServices: true })("the sample community", (it) => {
  it.scoped("is imported without an invalid line, has every kind, and is served", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      expect((yield* run(["import", "--strict", SAMPLE], { DATA_DIR })).succeeded).toBe(true)
      const kinds = (yield* files.readFileString(SAMPLE)).match(/^\{"kind":"\w+"/gm) ?? []
      expect(new Set(kinds).size).toBe(12)

      const issued = yield* run(["token", "issue", "bot", "--user", "1310000000000000003", "--json"], { DATA_DIR })
      const { token } = yield* Schema.decode(Issued)(issued.stdout)
      const { baseUrl } = yield* serve([], { DATA_DIR })
      const found = yield* Effect.promise(async () => {
        const response = await fetch(`${baseUrl}/guilds/1310000000000000010/members-search`, {
          method: "POST",
          headers: { authorization: `Bot ${token}`, "content-type": "application/json" },
          body: "{\"query\":\"jonsdottir\"}"
        })
        return response.json()
      })
      expect((yield* Schema.decodeUnknown(Members)(found)).total_result_count).toBe(1)
    }))
})
