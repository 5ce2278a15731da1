import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import * as FileSystem from "@effect/platform/FileSystem"
import { Effect, type Scope } from "effect"
import * as Balancer from "./Balancer.ts"
import * as Facts from "./Facts.ts"
import * as ServerProcess from "./ServerProcess.ts"

/** How to start the cluster. */
export interface Options {
  /** The port of the balancer; 0 for any free one. */
  readonly port: number
  /** How many servers run. */
  readonly servers: number
}

/** The running cluster. */
export interface Cluster {
  readonly balancer: string
  /** The address of PostgreSQL, without the password. */
  readonly database: string
  readonly servers: ReadonlyArray<ServerProcess.ServerProcess>
  readonly facts: Facts.Facts
  /** Restarts a server that has ended, on the same port. */
  readonly restart: (
    server: ServerProcess.ServerProcess
  ) => Effect.Effect<ServerProcess.ServerProcess, ServerProcess.ServerNotStarted, Scope.Scope>
}

/**
 * Removes the signal handlers that the effect adds. Those of the package that starts PostgreSQL would stop it and exit, before
 * the servers have stopped.
 */
const withoutSignalHandlers = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.suspend(() => {
    const before = (["SIGINT", "SIGTERM"] as const).map((signal) => ({ signal, known: process.listeners(signal) }))
    const removeAdded = Effect.sync(() => {
      for (const { known, signal } of before) {
        for (const listener of process.listeners(signal)) if (!known.includes(listener)) process.off(signal, listener)
      }
    })
    return Effect.ensuring(effect, removeAdded)
  })

/**
 * Starts PostgreSQL, servers on it and a balancer, all on loopback. The first server has imported the demo community
 * when the others start. All of it ends with the scope, in the reverse order.
 */
export const start = ({ port, servers: count }: Options) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const postgres = yield* withoutSignalHandlers(LocalPostgres.start())
    const DATABASE_URL = yield* postgres.database
    const DATA_DIR = yield* files.makeTempDirectoryScoped({ prefix: "cluster-" })
    const settings = { STORAGE: "postgres", DATABASE_URL, DATA_DIR, DEMO_PAGE: "off", TRUST_PROXY: "1" }
    const serve = (number: number, more: Readonly<Record<string, string>> = {}) =>
      ServerProcess.start({
        name: `server ${number}`,
        arguments: number === 1 ? ["--demo"] : [],
        until: number === 1 ? "Stop with Ctrl+C" : "Listening on",
        settings: { ...settings, ...more }
      })
    const first = yield* serve(1)
    const others = yield* Effect.forEach(
      Array.from({ length: count - 1 }, (_, index) => index + 2),
      (number) => serve(number),
      { concurrency: "unbounded" }
    )
    const servers = [first, ...others]
    const { host, pathname } = new URL(DATABASE_URL)
    const cluster: Cluster = {
      balancer: yield* Balancer.listen(port, servers.map(({ origin }) => origin)),
      database: `${host}${pathname}`,
      servers,
      facts: yield* Facts.read(DATA_DIR),
      restart: ({ name, origin }) => serve(Number(name.split(" ")[1]), { PORT: new URL(origin).port })
    }
    return cluster
  })
