import * as NodeContext from "@effect/platform-node/NodeContext"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { parseArgs } from "node:util"
import * as Cluster from "./Cluster.ts"
import { instructions } from "./Instructions.ts"
import type { ServerProcess } from "./ServerProcess.ts"

const USAGE = `usage: npm run cluster -- [--port N] [--servers N] [--restart]

  --port     the port of the balancer; 8080 by default, 0 for any free one
  --servers  how many servers run, 1 to 9; 3 by default
  --restart  restarts a server that ends`

const options = {
  port: { type: "string", default: "8080" },
  servers: { type: "string", default: "3" },
  restart: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
} as const

const fail = (reason: string): never => {
  console.error(`${reason}\n\n${USAGE}`)
  process.exit(2)
}

const readArguments = () => {
  try {
    return parseArgs({ options, args: process.argv.slice(2) }).values
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error))
  }
}

const numberOf = (name: string, text: string, minimum: number, maximum: number): number =>
  /^\d{1,5}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
    ? Number(text)
    : fail(`--${name} must be a whole number from ${minimum} to ${maximum}, not "${text}"`)

const { help, restart: restarts, ...given } = readArguments()
if (help) {
  console.log(USAGE)
  process.exit()
}
const port = numberOf("port", given.port, 0, 65_535)
const servers = numberOf("servers", given.servers, 1, 9)

const trial = Effect.gen(function*() {
  yield* Console.error("Starting PostgreSQL and the servers …")
  const cluster = yield* Cluster.start({ port, servers })
  yield* Console.log(instructions(cluster, restarts))
  /** Reports the end of a server, and restarts it with `--restart`. */
  const watch = (
    server: ServerProcess
  ): Effect.Effect<void, never, Effect.Effect.Context<ReturnType<typeof cluster.restart>>> =>
    Effect.gen(function*() {
      yield* Console.log(`${server.name} has ended: ${yield* server.ended}`)
      if (!restarts) return
      const again = yield* Effect.orDie(cluster.restart(server))
      yield* Console.log(`${again.name} runs again: process ${again.pid}`)
      return yield* watch(again)
    })
  yield* Effect.forEach(cluster.servers, watch, { concurrency: "unbounded", discard: true })
  return yield* Effect.never
})

trial.pipe(
  Effect.scoped,
  Effect.provide(NodeContext.layer),
  Effect.catchAll(({ message }) => Effect.zipRight(Console.error(message), Effect.sync(() => process.exit(1)))),
  NodeRuntime.runMain({ disablePrettyLogger: true })
)
