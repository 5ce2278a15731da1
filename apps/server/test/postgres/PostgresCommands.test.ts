import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { examine, run } from "../command-line/Terminal.ts"
import { COMMUNITY, toText } from "../transfer/Community.ts"
import { query, roleWithoutRights } from "./Query.ts"

/** A database with the community of the tests of import and export, and the imported file. */
const community = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const settings = { STORAGE: "postgres", DATABASE_URL: yield* emptyDatabase, MAX_CONNECTIONS: "1" }
  const file = `${yield* files.makeTempDirectoryScoped()}/community.ndjson`
  yield* files.writeFileString(file, toText(COMMUNITY))
  yield* run(["import", file], settings)
  return { settings, file }
})

/** The parameter of the URL with which docs/postgres.md exports from a read-only database. */
const [PAGE_OPTION = ""] = /\?options=[^`]+/.exec(
  readFileSync(fileURLToPath(new URL("../../../../docs/postgres.md", import.meta.url)), "utf8")
) ?? []

const CHECKS = [
  "settings",
  "database",
  "version",
  "encoding",
  "durability",
  "schema",
  "clocks",
  "connections",
  "rights",
  "epoch",
  "clock",
  "workers",
  "open files"
]

layer(NodeContext.layer, { excludeTestServices: true })("commands on PostgreSQL", (it) => {
  it.scoped("create nothing in a wrong schema, and leave the file of an export", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const { file, settings } = yield* community
      const before = yield* files.readFileString(file)
      const { stderr, succeeded } = yield* run(["export", file, "--force"], { ...settings, SCHEMA: "mistyped" })
      expect([succeeded, stderr]).toEqual([
        false,
        expect.stringContaining("schema mistyped has no data of this program")
      ])
      expect(yield* files.readFileString(file)).toBe(before)
      expect(yield* query(settings.DATABASE_URL, "SELECT nspname FROM pg_namespace WHERE nspname = 'mistyped'"))
        .toEqual([])
    }))

  it.scoped("work on imported data, and record changes in the audit log", () =>
    Effect.gen(function*() {
      const { settings } = yield* community
      const typed = (text: string) => run(text.split(" "), settings)
      for (
        const text of [
          "user list",
          "user show 102",
          "guild list",
          "webhook list",
          "webhook show 601",
          "webhook rotate 601",
          "token list",
          "token issue bot --user 102",
          "audit list"
        ]
      ) {
        const { stderr, stdout, succeeded } = yield* typed(text)
        expect([text, succeeded, stderr, stdout.length > 0]).toEqual([text, true, expect.any(String), true])
      }
      expect((yield* typed("audit list")).stdout).toContain("webhook.rotate_token")
    }))

  it.scoped("`export` from PostgreSQL goes into SQLite and back, with the same bytes", () =>
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const { file, settings } = yield* community
      const directory = yield* files.makeTempDirectoryScoped()
      const sqlite = { DATA_DIR: `${directory}/data` }
      const again = { STORAGE: "postgres", DATABASE_URL: yield* emptyDatabase }
      yield* run(["export", `${directory}/postgres`], settings)
      yield* run(["import", `${directory}/postgres`], sqlite)
      yield* run(["export", `${directory}/sqlite`], sqlite)
      yield* run(["import", `${directory}/sqlite`], again)
      yield* run(["export", `${directory}/again`], again)
      const original = yield* files.readFileString(file)
      for (const name of ["postgres", "sqlite", "again"]) {
        expect((yield* files.readFileString(`${directory}/${name}`)) === original).toBe(true)
      }
    }))

  it.scoped("`export` from a read-only database fails in one line, and works with the option of docs/postgres.md", () =>
    Effect.gen(function*() {
      const { file, settings } = yield* community
      const url = settings.DATABASE_URL
      yield* query(url, `ALTER DATABASE ${new URL(url).pathname.slice(1)} SET default_transaction_read_only TO on`)
      const refused = yield* run(["export", `${file}.refused`], settings)
      expect([refused.succeeded, refused.stderr]).toEqual([
        false,
        expect.stringMatching(/: reserve a worker number: cannot execute UPDATE in a read-only transaction\n$/)
      ])
      const written = yield* run(["export", `${file}.written`], { ...settings, DATABASE_URL: url + PAGE_OPTION })
      expect([written.succeeded, written.stderr]).toEqual([true, expect.any(String)])
      const files = yield* FileSystem.FileSystem
      expect(yield* files.readFileString(`${file}.written`)).toBe(yield* files.readFileString(file))
    }))

  it.effect.each<readonly [command: string, instead: string]>([
    [
      "backup",
      "pg_dump --format=custom --schema=chat DATABASE_URL, as the role that migrates, for a copy of the data, or pg_basebackup for the whole server"
    ],
    [
      "restore",
      "pg_restore --clean --if-exists for a file of pg_dump --format=custom --schema=chat, with all servers stopped"
    ]
  ])(
    "`%s` names in one line what to use instead, with the schema of the settings",
    ([command, instead]) =>
      Effect.gen(function*() {
        const DATABASE_URL = "postgres://ada:s3cret@db.example/chat"
        const { stderr, succeeded } = yield* run([command, "file"], {
          STORAGE: "postgres",
          DATABASE_URL,
          SCHEMA: "chat"
        })
        expect([succeeded, stderr]).toEqual([false, `community-messaging: STORAGE is postgres: use ${instead}\n`])
      })
  )

  it.scoped("the doctor finds no problem with a database in use", () =>
    Effect.gen(function*() {
      const { settings } = yield* community
      const { findings, of, succeeded } = yield* examine(settings)
      expect([succeeded, findings.map(({ check }) => check)]).toEqual([true, CHECKS])
      const levels = findings.flatMap(({ check, level }) => check === "open files" ? [] : [`${check} ${level}`])
      // The server of the tests does not wait for the disk.
      const expected = CHECKS.slice(0, -1).map((check) => `${check} ${check === "durability" ? "warning" : "ok"}`)
      expect(levels).toEqual(expected)
      expect(of("durability")?.found).toMatch(/^fsync and full_page_writes are off: /)
    }))

  it.scoped("the doctor asks for no backup of a schema without data, which the first start fills", () =>
    Effect.gen(function*() {
      const settings = { STORAGE: "postgres", DATABASE_URL: yield* emptyDatabase, SCHEMA: "brand_new" }
      const found = "brand_new has no data of this program"
      expect((yield* examine(settings)).of("schema")).toMatchObject({
        level: "warning",
        found,
        advice: "check SCHEMA. The first start creates its tables"
      })
      expect((yield* examine({ ...settings, MIGRATE: "off" })).of("schema")).toMatchObject({
        level: "problem",
        found,
        advice: "run `community-messaging migrate` with a role that may create tables"
      })
    }))

  it.scoped("the doctor finds missing rights of the role, by their tables", () =>
    Effect.gen(function*() {
      const { settings } = yield* community
      const url = settings.DATABASE_URL
      const { name: role, url: own } = yield* roleWithoutRights(url)
      const rights = Effect.map(
        examine({ ...settings, DATABASE_URL: own, MIGRATE: "off" }),
        ({ findings, of }) => [of("rights")?.level, of("rights")?.found, of("schema")?.level, findings.length]
      )
      const withoutSchema = yield* rights
      expect(withoutSchema).toEqual([
        "problem",
        expect.stringMatching(/cannot .* community_messaging_migr/),
        undefined,
        9
      ])
      yield* query(
        url,
        `GRANT USAGE ON SCHEMA community_messaging TO ${role};
        GRANT SELECT ON ALL TABLES IN SCHEMA community_messaging TO ${role}`
      )
      const withReading = yield* rights
      expect(withReading).toEqual(["problem", expect.stringMatching(/cannot read and write .*users/), "ok", 10])
      yield* query(
        url,
        `GRANT INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA community_messaging TO ${role};
        REVOKE INSERT, UPDATE, DELETE ON community_messaging.community_messaging_migrations FROM ${role}`
      )
      // The check of health writes to it.
      const withoutMigrations = ["problem", "the role cannot read and write community_messaging_migrations", "ok"]
      expect((yield* rights).slice(0, 3)).toEqual(withoutMigrations)
      yield* query(
        url,
        `GRANT INSERT, UPDATE, DELETE ON community_messaging.community_messaging_migrations TO ${role}`
      )
      yield* query(url, "REVOKE EXECUTE ON ALL FUNCTIONS IN SCHEMA community_messaging FROM PUBLIC")
      expect((yield* rights).slice(0, 2)).toEqual(["problem", "the role cannot run keep_logs, last_member_change"])
      yield* query(url, `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA community_messaging TO ${role}`)
      expect((yield* rights).slice(0, 2)).toEqual(["warning", expect.stringMatching(/cannot read events_sequence_seq/)])
      yield* query(url, `GRANT SELECT ON ALL SEQUENCES IN SCHEMA community_messaging TO ${role}`)
      expect((yield* rights).slice(0, 3)).toEqual(["ok", expect.any(String), "ok"])
      const sharded = { MEMBER_INDEX: "sharded", CLUSTER_SECRET: "a secret that all servers of the cluster know" }
      const { of } = yield* examine({ ...settings, ...sharded, DATABASE_URL: own, MIGRATE: "off" })
      expect(of("rights")).toMatchObject({
        check: "rights",
        level: "problem",
        found: "the role cannot create tables, which MEMBER_INDEX=sharded needs"
      })
    }))

  it.scoped("the doctor finds a database that acknowledges commits before they are on the disk, or refuses changes", () =>
    Effect.gen(function*() {
      const { settings } = yield* community
      const name = new URL(settings.DATABASE_URL).pathname.slice(1)
      yield* query(settings.DATABASE_URL, `ALTER DATABASE ${name} SET synchronous_commit TO off`)
      const unsafe = yield* examine(settings)
      expect([unsafe.succeeded, unsafe.of("durability")?.found]).toEqual([
        true,
        "fsync and full_page_writes and synchronous_commit are off: a crash of the machine may damage the database"
      ])
      // Such as a standby.
      yield* query(settings.DATABASE_URL, `ALTER DATABASE ${name} SET default_transaction_read_only TO on`)
      const { of, succeeded } = yield* examine(settings)
      expect([succeeded, of("database")?.level, of("database")?.found]).toEqual([
        false,
        "problem",
        expect.stringMatching(`/${name}: read-only$`)
      ])
    }))

  it.scoped("the doctor knows the limits of the role and of the database", () =>
    Effect.gen(function*() {
      const { settings } = yield* community
      const { name, url } = yield* roleWithoutRights(settings.DATABASE_URL)
      yield* query(settings.DATABASE_URL, `ALTER ROLE ${name} CONNECTION LIMIT 3`)
      const found = Effect.map(examine({ ...settings, DATABASE_URL: url }), ({ of }) => {
        const finding = of("connections")
        return [finding?.level, finding?.found.split(",", 1)[0]]
      })
      expect(yield* found).toEqual(["problem", "3 of 3 are free"])
      yield* query(settings.DATABASE_URL, `ALTER DATABASE ${new URL(url).pathname.slice(1)} CONNECTION LIMIT 2`)
      expect((yield* found)[1]).toMatch(/ of 2 are free$/)
    }))

  it.scoped("the doctor finds problems, and does not show the password", () =>
    Effect.gen(function*() {
      const { settings } = yield* community
      const url = settings.DATABASE_URL
      yield* query(url, "UPDATE community_messaging.worker_leases SET expires_at = 'infinity'")
      const full = yield* examine({ ...settings, POOL_SIZE: "1000", SNOWFLAKE_EPOCH: "2020-01-01" })
      expect([full.succeeded, full.of("connections")?.level, full.of("epoch")?.level]).toEqual([
        false,
        "problem",
        "problem"
      ])
      expect(full.of("workers")).toMatchObject({
        level: "problem",
        found: "1024 of 1024 worker numbers are taken, one by each running process"
      })
      const wrong = new URL(url)
      wrong.password = "s3cret"
      wrong.username = "nobody"
      const refused = yield* examine({ ...settings, DATABASE_URL: wrong.href })
      expect(refused.of("database")?.level).toBe("problem")
      expect(JSON.stringify(refused.findings)).not.toContain("s3cret")
    }))
})
