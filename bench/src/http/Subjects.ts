import { Schema } from "effect"
import getPort from "get-port"
import type { ChildProcess } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import * as Process from "./Process.ts"

/** The subjects: the cost of the work itself, the service, and its use cases on a well-known library. */
export const SUBJECTS = ["floor", "ours", "Fastify"] as const
export type Subject = (typeof SUBJECTS)[number]

/** A running server. */
export interface Running {
  readonly subject: Subject
  readonly port: number
  readonly process: ChildProcess
  /** The file of its database. */
  readonly database: string
}

/** The database's file in a data directory of the server. */
export const DATABASE = "community-messaging.sqlite"

const STARTUP_MILLIS = 30_000

const program = fileURLToPath(import.meta.resolve("@community-messaging/server/main"))
const peer = fileURLToPath(new URL("PeerProcess.js", import.meta.url))
const meter = ["--import", new URL("ProcessorTime.js", import.meta.url).href]

/** A port that was free a moment ago. The server would log a port that it chose, but its log is off. */
export const freePort = (): Promise<number> => getPort({ host: "127.0.0.1" })

/** Waits until the server responds; fails at the deadline. */
const untilAnswers = async (port: number, child: ChildProcess, deadline: number): Promise<void> => {
  const answered = await fetch(`http://127.0.0.1:${port}/v1/openapi.json`).then(({ ok }) => ok, () => false)
  if (answered) return
  if (child.exitCode !== null || performance.now() > deadline) throw new Error("The server did not start.")
  await sleep(50)
  await untilAnswers(port, child, deadline)
}

/** Starts the server like an operator, with those settings. It logs only warnings, and has no rate limits. */
export const startOurs = async (
  settings: Readonly<Record<string, string>>,
  core: Process.Core = "server"
): Promise<Pick<Running, "port" | "process">> => {
  const port = await freePort()
  const child = Process.start(core, [...meter, program, "serve"], {
    HOST: "127.0.0.1",
    PORT: String(port),
    LOG_LEVEL: "warning",
    RATE_LIMITS: "off",
    ...settings
  })
  await untilAnswers(port, child, performance.now() + STARTUP_MILLIS)
  return { port, process: child }
}

const PortMessage = Schema.Struct({ port: Schema.Number })

const startPeer = async (subject: "floor" | "Fastify", database: string): Promise<Omit<Running, "database">> => {
  const child = Process.start("server", [...meter, peer, subject.toLowerCase(), database])
  const { port } = Schema.decodeUnknownSync(PortMessage)(await Process.nextMessage(child))
  return { subject, port, process: child }
}

/** Starts the subject on a data directory of its own. */
export const start = async (subject: Subject, directory: string): Promise<Running> => {
  const database = `${directory}/${DATABASE}`
  if (subject !== "ours") return { ...await startPeer(subject, database), database }
  return { ...await startOurs({ STORAGE: "sqlite", DATA_DIR: directory }), subject, database }
}

const ProcessorTime = Schema.Struct({ processorMicros: Schema.Number })

/** The processor time that the server took since it started: user and system, all threads, in microseconds. */
export const processorMicros = async ({ process }: Pick<Running, "process">): Promise<number> => {
  process.send("processor time")
  return Schema.decodeUnknownSync(ProcessorTime)(await Process.nextMessage(process)).processorMicros
}
