import { type Array as Arrays, Effect, Option, Random, type Scope } from "effect"
import type { Settings } from "../../composed/ComposedServer.ts"
import { type Ended, type Running, serve } from "../../program/Program.ts"

/** A server that restarts on the same port when it is killed, like a supervised one. */
export interface FleetServer {
  readonly origin: string
  /** Kills it, and waits until the next process listens. */
  readonly kill: Effect.Effect<void, Ended, Scope.Scope>
  /** The processes that ended by themselves. */
  readonly faults: Effect.Effect<ReadonlyArray<string>>
  /** The messages of its log with a level of at least ERROR. */
  readonly errors: () => ReadonlyArray<string>
}

/** How often the supervisor tries to start a server. */
const STARTS = 10

const errorsIn = (log: string): ReadonlyArray<string> =>
  log.split("\n").filter((line) => /level=(ERROR|FATAL)/.test(line))

const launch = (settings: Settings) =>
  Effect.gen(function*() {
    const faults: Array<string> = []
    const processes: Array<Running> = []
    const start = (port: string) =>
      serve([], { ...settings, PORT: port }).pipe(
        Effect.tap((server) => Effect.sync(() => processes.push(server))),
        Effect.retry({ times: STARTS })
      )
    const first = yield* start("0")
    const { origin, port } = new URL(first.baseUrl)
    let current: Running = first
    const server: FleetServer = {
      origin,
      kill: Effect.gen(function*() {
        yield* current.signal("SIGKILL")
        const { code, stderr } = yield* current.ended
        if (code !== null) faults.push(`ended by itself with ${code}: ${stderr.slice(-500)}`)
        current = yield* start(port)
      }),
      faults: Effect.map(
        Effect.timeoutOption(Effect.suspend(() => current.ended), 0),
        Option.match({
          onNone: () => faults,
          onSome: ({ code, stderr }) => [...faults, `ended by itself with ${code}: ${stderr.slice(-500)}`]
        })
      ),
      errors: () => processes.flatMap(({ stderr }) => errorsIn(stderr()))
    }
    return server
  })

/** Starts a server with each of these settings. */
export const start = (settings: Arrays.NonEmptyReadonlyArray<Settings>) =>
  Effect.forEach(settings, launch, { concurrency: "unbounded" })

/** One of the servers. */
export const any = (servers: Arrays.NonEmptyReadonlyArray<FleetServer>): Effect.Effect<FleetServer> =>
  Effect.map(Random.nextIntBetween(0, servers.length), (index) => servers[index] ?? servers[0])
