import { Effect, type Scope } from "effect"
import getPort from "get-port"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"

/** The paths of the server in the packages of distributions. */
const EXECUTABLE = ["/usr/bin/redis-server", "/usr/local/bin/redis-server", "/opt/homebrew/bin/redis-server"].find((
  path
) => existsSync(path))

/** Whether tests with Redis are skipped without it: on a developer's machine, but not in continuous integration. */
export const isLeftOut = EXECUTABLE === undefined && process.env["CI"] !== "true"

/** Added to the titles of these tests when they are skipped. */
export const NEEDED = isLeftOut ? " (left out: install Redis, with apt-get install redis-server)" : ""

/** A Redis server that a test can kill, halt and start again. */
export interface RedisServer {
  readonly url: string
  /** Ends it by SIGKILL. */
  readonly kill: Effect.Effect<void>
  /** Starts it again, empty, on the same port. */
  readonly start: Effect.Effect<void>
  /** Halts it: connections stay open, without answers. */
  readonly halt: Effect.Effect<void>
  /** Ends `halt`. */
  readonly resume: Effect.Effect<void>
}

const launch = (port: number, password: string) =>
  Effect.async<ChildProcess>((resume) => {
    if (EXECUTABLE === undefined) throw new Error("There is no Redis: apt-get install redis-server")
    const options = { port: String(port), bind: "127.0.0.1", requirepass: password, save: "", appendonly: "no" }
    const server = spawn(EXECUTABLE, Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]), {
      stdio: ["ignore", "pipe", "ignore"]
    })
    server.stdout.on("data", (line: Buffer) => {
      if (line.includes("Ready to accept connections")) resume(Effect.succeed(server))
    })
    server.once("exit", () => resume(Effect.dieMessage("Redis does not start")))
  })

/** A new server for the test, until the scope ends. */
export const started: Effect.Effect<RedisServer, never, Scope.Scope> = Effect.gen(function*() {
  const port = yield* Effect.promise(() => getPort({ host: "127.0.0.1" }))
  let server = yield* launch(port, "a:secret@word")
  const send = (signal: NodeJS.Signals) => Effect.sync(() => void server.kill(signal))
  const kill = Effect.async<void>((resume) => {
    if (server.exitCode !== null || server.signalCode !== null) return resume(Effect.void)
    server.once("exit", () => resume(Effect.void))
    server.kill("SIGKILL")
  })
  yield* Effect.addFinalizer(() => kill)
  return {
    url: `redis://:${encodeURIComponent("a:secret@word")}@127.0.0.1:${port}/3`,
    kill,
    start: Effect.map(launch(port, "a:secret@word"), (launched) => {
      server = launched
    }),
    halt: send("SIGSTOP"),
    resume: send("SIGCONT")
  }
})
