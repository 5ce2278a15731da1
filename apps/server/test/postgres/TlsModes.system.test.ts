import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import * as SqlClient from "@effect/sql/SqlClient"
import { describe, expect, layer } from "@effect/vitest"
import { Context, Effect, Either, Layer, Redacted } from "effect"
import { execFile } from "node:child_process"
import { userInfo } from "node:os"
import { promisify } from "node:util"
import * as ClusterDatabase from "../../src/cluster/ClusterDatabase.ts"
import { atRest } from "../composed/ComposedServer.ts"
import { query } from "./Query.ts"

const run = promisify(execFile)

/** Makes a self-signed certificate for `localhost`, but not for the address of loopback. */
const certificate = (certificateFile: string, keyFile: string) =>
  Effect.promise(() =>
    run("openssl", [
      ..."req -x509 -nodes -days 2 -subj /CN=localhost -newkey ec -pkeyopt ec_paramgen_curve:prime256v1".split(" "),
      ..."-addext subjectAltName=DNS:localhost".split(" "),
      "-keyout",
      keyFile,
      "-out",
      certificateFile
    ])
  )

/** A PostgreSQL with a certificate, the file of that certificate, and one of another server. */
class Encrypted extends Context.Tag("test/Encrypted")<Encrypted, {
  readonly url: string
  readonly own: string
  readonly other: string
}>() {
  static readonly layer = Layer.scoped(
    Encrypted,
    Effect.gen(function*() {
      const files = yield* FileSystem.FileSystem
      const { join } = yield* Path.Path
      const folder = yield* files.makeTempDirectoryScoped()
      yield* files.chmod(folder, 0o755)
      const [own, key, other] = [join(folder, "own.pem"), join(folder, "own.key"), join(folder, "other.pem")]
      yield* certificate(own, key)
      yield* certificate(other, join(folder, "other.key"))
      // PostgreSQL reads only a key that no other user can read.
      yield* files.chmod(key, 0o600)
      if (userInfo().uid === 0) yield* Effect.promise(() => run("chown", ["postgres", key]))
      const postgres = yield* LocalPostgres.own({ fsync: "off", ssl: "on", ssl_cert_file: own, ssl_key_file: key })
      return { url: yield* postgres.database, own, other }
    })
  ).pipe(Layer.provide(NodeContext.layer), Layer.orDie)
}

/** The checks of a client: the mode, the trusted certificate, and the name of the server. */
interface Client {
  readonly mode: string
  readonly trusts?: "own" | "other"
  readonly host?: string
  readonly negotiation?: "direct"
}

const urlOf = ({ host = "127.0.0.1", mode, negotiation, trusts }: Client) =>
  Effect.map(Encrypted, (server) => {
    const url = new URL(server.url)
    url.hostname = host
    url.searchParams.set("sslmode", mode)
    if (trusts !== undefined) url.searchParams.set("sslrootcert", server[trusts])
    if (negotiation !== undefined) url.searchParams.set("sslnegotiation", negotiation)
    return url.href
  })

/** Whether connections of that application are encrypted. */
const encryptionOf = (application: string) =>
  Effect.flatMap(Encrypted, ({ url }) =>
    query(
      url,
      `SELECT DISTINCT ssl FROM pg_stat_ssl JOIN pg_stat_activity USING (pid)
       WHERE application_name = '${application}' AND datname = current_database()`
    )).pipe(Effect.map((rows) => rows.map(({ ssl }) => ssl)))

/** Whether the storage's connections are encrypted, or refused. */
const ofStorage = (DATABASE_URL: string) =>
  Layer.build(atRest({ STORAGE: "postgres", DATABASE_URL })).pipe(
    Effect.zipRight(encryptionOf("community-messaging")),
    Effect.scoped,
    Effect.either,
    Effect.map(Either.getOrElse(() => "refused"))
  )

/** The same for the cluster's connections. */
const ofCluster = (url: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`).pipe(
    Effect.zipRight(encryptionOf("community-messaging cluster")),
    Effect.provide(
      ClusterDatabase.client({ url: Redacted.make(url), schema: "chat", poolSize: 1 })
    ),
    Effect.either,
    Effect.map(Either.getOrElse(() => "refused"))
  )

const ENCRYPTED = [true]
const PLAIN = [false]

const CASES: ReadonlyArray<readonly [what: string, client: Client, outcome: unknown]> = [
  ["disable does not encrypt", { mode: "disable" }, PLAIN],
  ["require encrypts, with any server", { mode: "require" }, ENCRYPTED],
  ["require with an authority checks it, as libpq does", { mode: "require", trusts: "other" }, "refused"],
  [
    "verify-ca accepts a certificate of the authority with any name",
    { mode: "verify-ca", trusts: "own" },
    ENCRYPTED
  ],
  ["verify-ca refuses a certificate of another authority", { mode: "verify-ca", trusts: "other" }, "refused"],
  [
    "verify-full accepts a certificate of the authority for that host",
    { mode: "verify-full", trusts: "own", host: "localhost" },
    ENCRYPTED
  ],
  [
    "sslnegotiation=direct begins with TLS at once",
    { mode: "verify-full", trusts: "own", host: "localhost", negotiation: "direct" },
    ENCRYPTED
  ],
  ["verify-full refuses a certificate for another host", { mode: "verify-full", trusts: "own" }, "refused"],
  [
    "verify-full refuses a certificate of another authority",
    { mode: "verify-full", trusts: "other", host: "localhost" },
    "refused"
  ],
  [
    "verify-full refuses a certificate that no known authority has signed",
    { mode: "verify-full", host: "localhost" },
    "refused"
  ]
]

describe("sslmode of DATABASE_URL", () => {
  layer(Encrypted.layer)((it) => {
    for (const [what, client, outcome] of CASES) {
      it.scoped(what, () =>
        Effect.gen(function*() {
          const url = yield* urlOf(client)
          expect(yield* ofStorage(url)).toEqual(outcome)
          expect(yield* ofCluster(url)).toEqual(outcome)
        }))
    }
  })
})
