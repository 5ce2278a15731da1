import { Schema } from "effect"
import type { ChildProcess } from "node:child_process"
import { createServer } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Process from "./Process.ts"

/** What is compared. All but ours are the same service without what the service is built on. */
export const SUBJECTS = ["ours", "node:http", "Fastify"] as const
export type Subject = (typeof SUBJECTS)[number]

/** A server that runs. */
export interface Running {
  readonly subject: Subject
  readonly port: number
  readonly process: ChildProcess
}

/** The database's file in a data directory of the server. */
export const DATABASE = "community-messaging.sqlite"

const STARTUP_MILLIS = 30_000

const program = fileURLToPath(import.meta.resolve("@community-messaging/server/main"))
const peer = fileURLToPath(new URL("peers/PeerProcess.js", import.meta.url))

/** A port that was free a moment ago: the server's log would tell the one that it chose, but is off. */
const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.once("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(address !== null && typeof address === "object" ? address.port : 0))
    })
  })

/** Waits until the server answers; fails where it does not in time. */
const untilAnswers = async (port: number, child: ChildProcess, deadline: number): Promise<void> => {
  const answered = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`).then(({ ok }) => ok, () => false)
  if (answered) return
  if (child.exitCode !== null || performance.now() > deadline) throw new Error("The server did not start.")
  await sleep(50)
  await untilAnswers(port, child, deadline)
}

/** The server as an operator runs it, with the settings that it has by default; only warnings are logged. */
const startOurs = async (directory: string, nodeFlags: ReadonlyArray<string>): Promise<Running> => {
  const port = await freePort()
  const child = Process.start("server", [...nodeFlags, program, "serve"], {
    HOST: "127.0.0.1",
    PORT: String(port),
    STORAGE: "sqlite",
    DATA_DIR: directory,
    LOG_LEVEL: "warning",
    RATE_LIMITS: "on"
  })
  await untilAnswers(port, child, performance.now() + STARTUP_MILLIS)
  return { subject: "ours", port, process: child }
}

const NAMES = { "node:http": "bare", "Fastify": "fastify" } as const

const startPeer = async (
  subject: Exclude<Subject, "ours">,
  directory: string,
  nodeFlags: ReadonlyArray<string>
): Promise<Running> => {
  const child = Process.start("server", [...nodeFlags, peer, NAMES[subject], `${directory}/${DATABASE}`])
  const { port } = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Number }))(await Process.nextMessage(child))
  return { subject, port, process: child }
}

/** Starts the subject on a data directory of its own. */
export const start = (
  subject: Subject,
  directory: string,
  nodeFlags: ReadonlyArray<string> = []
): Promise<Running> => subject === "ours" ? startOurs(directory, nodeFlags) : startPeer(subject, directory, nodeFlags)
