import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, Layer, Option } from "effect"
import { readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { describe as describeFailure } from "../../src/command-line/Failure.ts"
import { run } from "../command-line/Terminal.ts"
import { atRest, composed, type Settings } from "../composed/ComposedServer.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send } from "../http/HttpClient.ts"
import { query, roleWithoutRights } from "./Query.ts"

/** The statements of docs/postgres.md for the migrating role before the first migration, with a role named `chat`. */
const [, PAGE_RIGHTS = ""] = /^ *```sql\n(.*?)^ *```$/ms.exec(
  readFileSync(fileURLToPath(new URL("../../../../docs/postgres.md", import.meta.url)), "utf8")
) ?? []

const database = Effect.map(emptyDatabase, (DATABASE_URL) => ({ STORAGE: "postgres", DATABASE_URL }))

/** The reason why a command or a server cannot use the storage, in one line. */
const refusal = (settings: Settings) =>
  Effect.map(Effect.flip(Effect.scoped(Layer.build(atRest(settings)))), describeFailure)

const schemaNames = (url: string) =>
  Effect.map(
    query(url, "SELECT DISTINCT schemaname AS name FROM pg_tables WHERE tablename = 'messages' ORDER BY 1"),
    (rows) => rows.map(({ name }) => name)
  )

describe("the settings of PostgreSQL", () => {
  it.scoped("SCHEMA is the schema of the tables, so that two services share a database", () =>
    Effect.gen(function*() {
      const settings = yield* database
      const { user } = yield* Effect.provide(Fixtures.bot, atRest({ ...settings, SCHEMA: "one" }))
      const found = Effect.flatMap(UserRepository, ({ find }) => find(user.id))
      expect(Option.isSome(yield* Effect.provide(found, atRest({ ...settings, SCHEMA: "one" })))).toBe(true)
      expect(Option.isSome(yield* Effect.provide(found, atRest({ ...settings, SCHEMA: "two" })))).toBe(false)
      expect(yield* schemaNames(settings.DATABASE_URL)).toEqual(["one", "two"])
    }))

  it.scoped("POOL_SIZE is the number of connections besides the one for events", () =>
    Effect.gen(function*() {
      const settings = yield* database
      const connections = query(
        settings.DATABASE_URL,
        "SELECT count(*)::int AS count FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
      )
      yield* Effect.gen(function*() {
        const { find } = yield* UserRepository
        yield* Effect.all(Array.from({ length: 30 }, (_, id) => find(UserId.make(String(id + 1)))), {
          concurrency: "unbounded"
        })
        const [{ count } = {}] = yield* connections
        expect(Number(count)).toBeGreaterThanOrEqual(3)
        expect(Number(count)).toBeLessThanOrEqual(4)
      }).pipe(Effect.provide(atRest({ ...settings, POOL_SIZE: "3" })))
    }))

  it.scoped("MIGRATE=off serves with a role that has the rights of docs/postgres.md, after `migrate`", () =>
    Effect.gen(function*() {
      const settings = yield* database
      const role = yield* roleWithoutRights(settings.DATABASE_URL)
      yield* query(settings.DATABASE_URL, PAGE_RIGHTS.replaceAll("TO chat;", `TO ${role.name};`))
      const migrated = yield* run(["migrate"], settings)
      expect(migrated.stderr).toMatch(
        /schema community_messaging: the schema has version \d+\. Before, it had version 0\.\n$/
      )
      expect((yield* run(["migrate"], settings)).stderr).toMatch(/has version \d+ already\.\n$/)
      yield* Effect.gen(function*() {
        // It makes ids, writes events and takes locks.
        yield* Fixtures.webhook
        const { token: bot } = yield* Fixtures.bot
        expect((yield* send("/v1/users/@me/scheduled-messages", { bot })).status).toBe(200)
        // It reads the number of the last event from its sequence.
        const events = yield* EventLog
        yield* events.append(Samples.event())
        const end = yield* events.end
        yield* events.removeBefore(DateTime.unsafeMake("2100-01-01T00:00:00Z"), 100)
        expect(yield* events.end).toBe(end)
      }).pipe(Effect.provide(composed({ ...settings, DATABASE_URL: role.url, MIGRATE: "off" })))
    }).pipe(Effect.provide(NodeContext.layer)))

  it.scoped("a schema of a newer version is refused in one line, or a missing one with MIGRATE=off, and none is created", () =>
    Effect.gen(function*() {
      const settings = yield* database
      expect(yield* refusal({ ...settings, MIGRATE: "off" })).toMatch(
        /^This program has stored nothing in community_messaging yet, .* Run `community-messaging migrate`$/
      )
      expect(yield* schemaNames(settings.DATABASE_URL)).toEqual([])
      yield* Effect.scoped(Layer.build(atRest(settings)))
      yield* query(
        settings.DATABASE_URL,
        "INSERT INTO community_messaging.community_messaging_migrations (migration_id, name) VALUES (999, 'later')"
      )
      expect(yield* refusal(settings)).toMatch(
        /^The database has schema version 999, but .* restore an older backup\.$/
      )
    }))

  it.scoped("a database that cannot be reached is named in one line, without user and password", () =>
    Effect.gen(function*() {
      const { DATABASE_URL } = yield* database
      const wrong = (change: (url: URL) => void) => {
        const url = new URL(DATABASE_URL)
        change(url)
        return refusal({ STORAGE: "postgres", DATABASE_URL: url.href })
      }
      const lines = [
        yield* wrong((url) => Object.assign(url, { port: "1" })),
        yield* wrong((url) => Object.assign(url, { password: "s3cret" })),
        yield* wrong((url) => Object.assign(url, { username: "nobody", password: "s3cret" })),
        yield* wrong((url) => Object.assign(url, { pathname: "/nothing" })),
        yield* wrong((url) => url.searchParams.set("sslmode", "require")),
        yield* wrong((url) => url.searchParams.set("sslrootcert", "/no/such/file"))
      ]
      expect(
        lines.filter((line) => !/^the database 127\.0\.0\.1:\d+\/\w+ of DATABASE_URL cannot be used: /.test(line))
      )
        .toEqual([])
      expect(lines.filter((line) => /s3cret|postgres:|\n/.test(line))).toEqual([])
      expect(lines.at(-1)).toContain("read the files of TLS: ENOENT: no such file or directory, open '/no/such/file'")
    }))
})
