import { nextTurn } from "@community-messaging/event-loop/NextTurn"
import * as SqliteDatabase from "@community-messaging/storage-sqlite/SqliteDatabase"
import * as Reactivity from "@effect/experimental/Reactivity"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { expect, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { gzipSync } from "node:zlib"
import * as SilentServer from "../program/SilentServer.ts"
import { toText } from "../transfer/Community.ts"
import { community, dataDirectory, run } from "./Terminal.ts"

const Issued = Schema.parseJson(Schema.Struct({ id: Schema.String, token: Schema.String }))
const Listed = Schema.parseJson(Schema.Array(Schema.Struct({
  id: Schema.String,
  type: Schema.String,
  revoked_at: Schema.NullOr(Schema.String)
})))

const NO_SNOWFLAKE = "must be a snowflake: a string of decimal digits without leading zeros"

/** The error output of a command that fails, which must be its only output. */
const complaint = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.map(
    run(args, environment),
    ({ stderr, stdout, succeeded }) => succeeded || stdout !== "" ? `it did not fail: ${stdout}${stderr}` : stderr
  )

layer(NodeContext.layer)("the command line", (it) => {
  it.effect("shows the full name and the arguments of a command, and the variable and the default of a setting", () =>
    Effect.gen(function*() {
      expect((yield* run(["token", "issue", "bot", "--help"])).stdout).toContain(
        "$ community-messaging token issue bot --user text"
      )
      expect((yield* run(["serve", "--help"])).stdout).toContain("Environment: REQUEST_TIMEOUT. Default: 10 seconds.")
    }))

  it.effect("names unknown, missing, wrong and empty arguments in one line", () =>
    Effect.gen(function*() {
      for (const command of ["export", "backup", "import", "restore"]) {
        expect(yield* complaint([command, ""], {})).toContain("FILE must not be empty")
      }
      expect(yield* complaint(["token", "list", "--loudly"], {})).toBe(
        "community-messaging: Received unknown argument: '--loudly'\n"
      )
      expect(yield* complaint(["webhook", "create", "--nam", "a"], {})).toBe(
        "community-messaging: The flag '--nam' is not recognized. Did you mean '--name'?\n"
      )
      expect(yield* complaint(["webhook", "create"], {})).toBe(
        "community-messaging: Expected to find option: '--channel'; Expected to find option: '--name'\n"
      )
      // A wrong value is named with the other mistakes, before any data is needed.
      expect(yield* complaint(["webhook", "create", "--channel", "x"], { DATA_DIR: "/srv/x" })).toBe(
        `community-messaging: --channel ${NO_SNOWFLAKE}; Expected to find option: '--name'\n`
      )
      // It would lead to the default data.
      expect(yield* complaint(["user", "list", "--data-dir", ""], { DATA_DIR: "/srv/x" })).toBe(
        "community-messaging: DATA_DIR is empty: --data-dir needs a value\n"
      )
    }))

  it.scoped("refuses a database file without content, because its data was lost", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* files.makeTempDirectoryScoped()
      const file = `${DATA_DIR}/community-messaging.sqlite`
      yield* files.writeFileString(file, "")
      // Each waits for another process that may be creating the database.
      const complaints = yield* Effect.forEach(
        [["migrate"], ["user", "list"], ["serve"]],
        (command) => complaint(command, { DATA_DIR }),
        { concurrency: "unbounded" }
      )
      expect(new Set(complaints)).toEqual(
        new Set([
          `community-messaging: DATA_DIR ${DATA_DIR} cannot be used: its database file is empty: ` +
          "restore a backup, or remove the file to begin without data; " +
          "if another process is creating the database, start again\n"
        ])
      )
      expect((yield* files.stat(file)).size).toBe(0n)
    }))

  it.scoped("migrates a database whose tables another process is just creating", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
      const filename = `${DATA_DIR}/community-messaging.sqlite`
      yield* Effect.scoped(SqliteClient.make({ filename }))
      const migrating = yield* Effect.fork(run(["migrate"], { DATA_DIR }))
      // Meanwhile, the command finds a database without tables.
      yield* Effect.repeatN(nextTurn, 200)
      yield* Effect.provide(Effect.void, SqliteDatabase.layer({ filename }))
      expect(yield* Fiber.join(migrating)).toMatchObject({ succeeded: true })
    }).pipe(Effect.provide(Reactivity.layer)))

  it.scoped("does not rewrite a database for incremental vacuum, except by a start and by `migrate`", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      // A connection does not see that another one changed the mode.
      const onFile = <A, E>(use: (sql: SqliteClient.SqliteClient) => Effect.Effect<A, E>) =>
        SqliteClient.make({ filename: `${DATA_DIR}/community-messaging.sqlite` }).pipe(
          Effect.flatMap(use),
          Effect.scoped
        )
      const mode = onFile((sql) => sql`PRAGMA auto_vacuum`)
      yield* onFile((sql) => Effect.zipRight(sql`PRAGMA auto_vacuum = NONE`, sql`VACUUM`))
      expect((yield* run(["user", "list"], { DATA_DIR })).succeeded).toBe(true)
      expect(yield* mode).toEqual([{ auto_vacuum: 0 }])
      const advised = yield* run(["doctor"], { DATA_DIR })
      expect(advised.stdout).toContain(
        "-> run `community-messaging migrate`, with as much free space as the database has"
      )
      expect((yield* run(["migrate"], { DATA_DIR })).succeeded).toBe(true)
      expect(yield* mode).toEqual([{ auto_vacuum: 2 }])
      expect((yield* run(["doctor"], { DATA_DIR })).stdout).not.toContain("vacuum")
    }).pipe(Effect.provide(Reactivity.layer)))

  it.scoped("does not migrate an older database, except by a start and by `migrate`", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const sql = yield* SqliteClient.make({ filename: `${DATA_DIR}/community-messaging.sqlite` })
      const newest = yield* sql`SELECT max(migration_id) AS version FROM community_messaging_migrations`
      yield* sql`DELETE FROM community_messaging_migrations WHERE name = 'shown_member_changes'`
      const before = yield* sql`SELECT max(migration_id) AS version FROM community_messaging_migrations`
      for (const command of [["user", "list"], ["token", "issue", "admin", "--name", "x", "--acl", "*"]]) {
        expect(yield* complaint(command, { DATA_DIR })).toMatch(
          / has version \d+, .* Make a backup, then run `community-messaging migrate`/
        )
      }
      expect(yield* complaint(["serve"], { DATA_DIR, MIGRATE: "off" })).toContain("Make a backup, then run")
      expect(yield* sql`SELECT max(migration_id) AS version FROM community_messaging_migrations`).toEqual(before)
      expect((yield* run(["migrate"], { DATA_DIR })).succeeded).toBe(true)
      expect(yield* sql`SELECT max(migration_id) AS version FROM community_messaging_migrations`).toEqual(newest)
    }).pipe(Effect.provide(Reactivity.layer)))

  it.scoped("creates a database for the first token, and says so, but not with MIGRATE=off or for reading", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* dataDirectory
      const issue = ["token", "issue", "admin", "--name", "x", "--acl", "*"]
      expect(yield* complaint(["token", "list"], { DATA_DIR })).toBe(
        `community-messaging: DATA_DIR ${DATA_DIR} has no database\n`
      )
      expect(yield* complaint(issue, { DATA_DIR, MIGRATE: "off" })).toBe(
        `community-messaging: DATA_DIR ${DATA_DIR} has no data of this program: run \`community-messaging migrate\` first\n`
      )
      expect((yield* run(issue, { DATA_DIR })).stderr).toContain(`Creating an empty database: DATA_DIR ${DATA_DIR}\n`)
      expect((yield* run(issue, { DATA_DIR })).stderr).not.toContain("Creating")
    }))

  it.scoped("refuses a demo in a database with other data, and an export into a folder that is a file", () =>
    Effect.gen(function*() {
      const { DATA_DIR, file } = yield* community
      expect(yield* complaint(["serve", "--demo"], { DATA_DIR, PORT: "0" })).toContain(
        "--demo: the database has other data"
      )
      // In the words of the system alone.
      expect(yield* complaint(["export", `${file}/x`], { DATA_DIR })).toBe(
        `community-messaging: ENOTDIR: not a directory, access '${file}/x'\n`
      )
    }))

  it.effect("names an unknown log level, also without a command", () =>
    Effect.gen(function*() {
      const problem = /^community-messaging: LOG_LEVEL must be one of .*, not "loud"\n$/
      expect(yield* complaint(["token", "list"], { LOG_LEVEL: "loud" })).toMatch(problem)
      expect(yield* complaint(["--log-level", "loud"], {})).toMatch(problem)
    }))

  it.scoped("issues, lists and revokes an admin key", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* dataDirectory
      const issued = yield* run(["token", "issue", "admin", "--name", "ops", "--acl", "*", "--json"], { DATA_DIR })
      const { id } = yield* Schema.decode(Issued)(issued.stdout)
      const { succeeded } = yield* run(["token", "revoke", id], { DATA_DIR })
      const listed = yield* Schema.decode(Listed)((yield* run(["token", "list", "--json"], { DATA_DIR })).stdout)
      expect([succeeded, listed.map((entry) => [entry.id, entry.type, entry.revoked_at !== null])]).toEqual([
        true,
        [[id, "admin", true]]
      ])
    }))

  it.scoped("lists tokens without their secrets, and prints an issued one alone, so that it can be piped", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const { stdout } = yield* run(["token", "list"], { DATA_DIR })
      expect(stdout.split("\n").map((line) => line.split(/ {2,}/))).toEqual([
        ["ID", "TYPE", "OF", "ISSUED", "STATE"],
        ["901", "bot", "user 102", "2024-01-01T00:00:00.000Z", "valid"],
        ["902", "bot", "user 102", "2024-01-01T00:00:00.000Z", "revoked 2024-02-01T00:00:00.000Z"],
        ["903", "admin", "ops (user:delete, *)", "2024-01-01T00:00:00.000Z", "valid"],
        [""]
      ])
      const issued = yield* run(["token", "issue", "bot", "--user", "102"], { DATA_DIR })
      expect(issued.stdout).toMatch(/^cmb_[\w-]{49}\n$/)
      const made = yield* run(["webhook", "create", "--channel", "401", "--name", "CI", "--json"], { DATA_DIR })
      expect((yield* Schema.decode(Issued)(made.stdout)).token).toMatch(/^cmw_/)
    }))

  it.scoped("lists tokens as JSON with whose they are, and when they were issued and revoked", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      const { stdout } = yield* run(["token", "list", "--json"], { DATA_DIR })
      const created_at = "2024-01-01T00:00:00.000Z"
      expect(yield* Schema.decode(Schema.parseJson())(stdout)).toEqual([
        { id: "901", type: "bot", user_id: "102", created_at, revoked_at: null },
        { id: "902", type: "bot", user_id: "102", created_at, revoked_at: "2024-02-01T00:00:00.000Z" },
        { id: "903", type: "admin", name: "ops", acls: ["user:delete", "*"], created_at, revoked_at: null }
      ])
    }))

  const refusals: ReadonlyArray<readonly [args: ReadonlyArray<string>, reason: string]> = [
    [["token", "issue", "bot", "--user", "9"], "There is no account 9, or it is deleted."],
    [["token", "issue", "bot", "--user", "101"], "Account 101 is not a bot."],
    [["token", "issue", "bot", "--user", "x"], `--user ${NO_SNOWFLAKE}`],
    [
      ["token", "issue", "admin", "--name", "x", "--acl", "fly"],
      "--acl must be one of user:delete, user:update:email, events:read, audit:read, *"
    ],
    [
      ["token", "issue", "admin", "--name", " ", "--acl", "*"],
      "--name must not be blank, and must not start or end with white space"
    ],
    [["token", "revoke", "9"], "There is no bot token or admin key 9."],
    [["audit", "list", "--limit", "0"], "--limit must be 1 to 100"],
    [["audit", "list", "--limit", "101"], "--limit must be 1 to 100"],
    [["audit", "list", "--limit", "ten"], "--limit must be an integer"],
    [["audit", "list", "--after", "-1"], "--after must be 0 to 9007199254740991"],
    [["audit", "list", "--after", "9007199254740992"], "--after must be 0 to 9007199254740991"],
    [["events", "tail", "--after", "-1"], "--after must be 0 to 9007199254740991"],
    [["events", "tail", "--after", "1.5"], "--after must be an integer"],
    [["events", "tail", "--from", "yesterday"], "--from must be now"],
    [["events", "tail", "--from", "now", "--after", "1"], "--from cannot be combined with --after"],
    [["webhook", "create", "--channel", "9", "--name", "CI"], "There is no channel 9."],
    [["webhook", "create", "--channel", "401", "--name", " "], "--name must be 1 to 80 characters long"],
    [["webhook", "list", "--guild", "200", "--channel", "401"], "--guild and --channel exclude each other"],
    [["webhook", "list", "--channel", "x"], `--channel ${NO_SNOWFLAKE}`],
    [["webhook", "list", "--after", "x"], `--after ${NO_SNOWFLAKE}`],
    [["webhook", "list", "--limit", "1001"], "--limit must be 1 to 1000"],
    [["webhook", "show", "9"], "There is no webhook 9."],
    [["webhook", "show", "x"], `ID ${NO_SNOWFLAKE}`],
    [["webhook", "rotate", "9"], "There is no webhook 9."],
    [
      ["user", "list", "--deleted", "--scheduled-for-deletion"],
      "--deleted and --scheduled-for-deletion exclude each other"
    ],
    [["user", "show", "9"], "there is no account 9"],
    [["guild", "show", "9"], "there is no guild 9"],
    [["guild", "list", "--limit", "ten"], "--limit must be an integer"],
    [["message", "list", "--channel", "9"], "There is no channel 9."],
    [["message", "list", "--channel", "401", "--before", "x"], `--before ${NO_SNOWFLAKE}`]
  ]
  it.scoped("reports a mistake in one line, with the name of the argument", () =>
    Effect.gen(function*() {
      const { DATA_DIR } = yield* community
      for (const [args, reason] of refusals) {
        expect(yield* complaint(args, { DATA_DIR })).toBe(`community-messaging: ${reason}\n`)
      }
    }))

  it.scoped("reports an invalid line, imports the others, and fails", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const file = `${DATA_DIR}.ndjson`
      yield* files.writeFileString(file, toText([{ kind: "user" }, { kind: "user", id: "1", username: "ada" }]))
      const { stderr, succeeded } = yield* run(["import", file], { DATA_DIR })
      expect([succeeded, stderr.split("\n")]).toEqual([false, [
        `Creating an empty database: DATA_DIR ${DATA_DIR}`,
        `${file}:1: user: id: is required`,
        `${file}:1: user: username: is required`,
        "user: 1 added, 0 changed, 0 unchanged, 1 failed",
        expect.stringMatching(/^2 lines in \d+\.\d s, [\d,]+ lines\/s$/),
        "community-messaging: lines not imported: 1",
        ""
      ]])
    }))

  it.scoped("refuses a compressed file by one line, not by one for each of its lines", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      yield* files.writeFile(file, gzipSync(toText([{ kind: "user", id: "1", username: "ada" }])))
      expect(yield* complaint(["import", file], { DATA_DIR: yield* dataDirectory })).toBe(
        `community-messaging: ${file}: it is compressed: gunzip it first\n`
      )
    }))

  it.effect("refuses data in memory for a command, and to serve from an empty one, with advice", () =>
    Effect.gen(function*() {
      expect(yield* complaint(["token", "list"], { STORAGE: "memory" })).toContain(
        "only the server process can access its data"
      )
      expect(yield* complaint(["serve"], { STORAGE: "memory" })).toBe(
        "community-messaging: STORAGE is memory, which starts empty, so no client could authenticate: " +
          "add --import FILE or --demo\n"
      )
    }))

  it.scoped("refuses to import or to serve a missing file or a folder, and creates no database", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* dataDirectory
      const folder = yield* files.makeTempDirectoryScoped()
      const refused = [[`${DATA_DIR}.ndjson`, "there is no such file"], [folder, "it is a folder"]] as const
      for (const [file, reason] of refused) {
        for (const command of [["serve", "--import"], ["import"]]) {
          expect(yield* complaint([...command, file], { DATA_DIR })).toBe(`community-messaging: ${file}: ${reason}\n`)
        }
      }
      expect(yield* files.exists(DATA_DIR)).toBe(false)
    }))

  it.scoped("does not serve with an invalid line in the file to import, and names line and field", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const file = yield* files.makeTempFileScoped()
      yield* files.writeFileString(
        file,
        toText([{ kind: "user", id: "1", username: "ada" }, { kind: "user", id: "2" }])
      )
      expect(yield* complaint(["serve", "--port", "0", "--import", file], { STORAGE: "memory" })).toBe(
        `${file}:2: user: username: is required\ncommunity-messaging: nothing was imported: invalid lines: 1\n`
      )
    }))

  it.scoped("reports in one line that its port is taken", () =>
    Effect.gen(function*() {
      const PORT = String(yield* SilentServer.port())
      expect(yield* complaint(["serve"], { DATA_DIR: yield* dataDirectory, PORT })).toBe(
        "community-messaging: cannot listen on HOST and PORT: " +
          `listen EADDRINUSE: address already in use 127.0.0.1:${PORT}\n`
      )
    }))

  it.scoped("reports in one line that its database is damaged, or its folder a file", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const DATA_DIR = yield* files.makeTempDirectoryScoped()
      const file = `${DATA_DIR}/community-messaging.sqlite`
      yield* files.writeFile(file, new Uint8Array(8192).fill(7))
      expect(yield* complaint(["serve"], { DATA_DIR })).toMatch(
        /^community-messaging: [^\n]*file is not a database[^\n]*\n$/
      )
      expect(yield* complaint(["token", "list"], { DATA_DIR: file })).toContain(
        `community-messaging: DATA_DIR ${file} cannot be used: ENOTDIR: not a directory`
      )
    }))
})
