import { nextMessage } from "@community-messaging/bench/http/Process"
import { percentile } from "@community-messaging/bench/report/Statistics"
import { Schema } from "effect"
import { type ChildProcess, type Serializable, spawn } from "node:child_process"
import { once } from "node:events"
import { openSync, readFileSync, writeFileSync } from "node:fs"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"

/** The file of the database in a data directory. */
export const DATABASE = "community-messaging.sqlite"

const STARTUP_MILLIS = 60_000
const RESPONSE_MILLIS = 60_000

/** How the files in `deploy` start Node. */
const NODE_OPTIONS = ["--v8-pool-size=0"]

const main = fileURLToPath(new URL("../../../apps/server/dist/main.js", import.meta.url))
const probe = new URL("Probe.js", import.meta.url).href

/** The figures of the process while it was watched. Times are in milliseconds. */
export interface Watched {
  /** The p99.9 of holds of the event loop, without waiting for a processor. */
  readonly holdP999: number
  /** The longest processor time of one hold. */
  readonly longestProcessorTime: number
  /** The longest delay of the event loop, whatever its cause. */
  readonly longestDelay: number
  /** Peak of the resident memory, in bytes. */
  readonly peakMemory: number
}

/** A running server. */
export interface ServerProcess {
  /** The address, without `/v1`. */
  readonly origin: string
  readonly port: number
  readonly pid: number
  readonly directory: string
  readonly isRunning: () => boolean
  /** Sends a message to the preloaded modules. */
  readonly send: (message: Serializable) => void
  /** The lines of its log with a level of at least ERROR. */
  readonly errors: () => ReadonlyArray<string>
  /** Discards the figures so far. */
  readonly beginWatch: () => void
  readonly endWatch: () => Promise<Watched>
  readonly kill: () => Promise<void>
}

/** How to start a server. */
interface StartOptions {
  readonly directory: string
  /** Distinguishes the server from others on the same directory. */
  readonly name?: string
  readonly settings?: Readonly<Record<string, string>>
  /** Modules to load before the server, as URLs. */
  readonly preload?: ReadonlyArray<string>
  /** Programs, with their arguments, that drop rights and then execute the server. */
  readonly under?: ReadonlyArray<string>
}

const running = new Set<ChildProcess>()

// No process outlives the attack, even if it fails.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Only the variables that every program needs: settings of the server come from the options alone. */
const inherited = { PATH: process.env["PATH"] ?? "" }

/** Sends a message to the modules in the process, unless the process is being killed. */
const send = (child: ChildProcess, message: Serializable): void => {
  if (child.connected) child.send(message, () => {})
}

/** Starts the program with its log in a file, because a pipe without a reader blocks the writer. */
const spawnProgram = (
  args: ReadonlyArray<string>,
  { directory, preload = [], settings = {}, under = [] }: StartOptions,
  logFile: string
): ChildProcess => {
  const log = openSync(logFile, "w")
  const node = [process.execPath, ...NODE_OPTIONS, ...preload.flatMap((url) => ["--import", url]), main, ...args]
  const [program = "", ...programArgs] = [...under, ...node]
  const child = spawn(program, programArgs, {
    stdio: ["ignore", log, log, "ipc"],
    env: { ...inherited, DATA_DIR: directory, LOG_FORMAT: "logfmt", PORT: "0", ...settings }
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null

const ended = async (child: ChildProcess): Promise<void> => {
  if (!hasEnded(child)) await once(child, "exit")
}

/** Waits until the log has the address of the server. */
const listening = async (child: ChildProcess, logFile: string, deadline: number): Promise<string> => {
  const origin = /Listening on (http\S+)\/v1/.exec(readFileSync(logFile, "utf8"))?.[1]
  if (origin !== undefined) return origin
  if (hasEnded(child) || performance.now() > deadline) {
    child.kill("SIGKILL")
    throw new Error(`The server did not start:\n${readFileSync(logFile, "utf8").slice(-2000)}`)
  }
  await sleep(10)
  return listening(child, logFile, deadline)
}

const Measured = Schema.Struct({
  holds: Schema.Array(Schema.Number),
  longestProcessorTime: Schema.Number,
  longestDelay: Schema.Number
})

const peakMemoryOf = (pid: number): number => {
  const kibibytes = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
  return Number(kibibytes ?? Number.NaN) * 1024
}

/** The figures of a process that does not respond: they break the bounds. */
const unwatchable = (peakMemory: number): Watched => ({
  holdP999: Number.POSITIVE_INFINITY,
  longestProcessorTime: Number.POSITIVE_INFINITY,
  longestDelay: Number.POSITIVE_INFINITY,
  peakMemory
})

const endWatch = async (child: ChildProcess, pid: number, peakMemory: number): Promise<Watched> => {
  if (hasEnded(child)) return unwatchable(peakMemory)
  send(child, "end")
  const late = new AbortController()
  const answer = await Promise.race([
    nextMessage(child).catch(() => undefined),
    sleep(RESPONSE_MILLIS, undefined, { signal: late.signal })
  ])
  late.abort()
  if (answer === undefined) return unwatchable(peakMemory)
  const measured = Schema.decodeUnknownSync(Measured)(answer)
  return {
    holdP999: percentile(measured.holds.toSorted((self, that) => self - that), 0.999),
    longestProcessorTime: measured.longestProcessorTime,
    longestDelay: measured.longestDelay,
    peakMemory: peakMemoryOf(pid)
  }
}

const errorsIn = (log: string): ReadonlyArray<string> =>
  log.split("\n").filter((line) => /level=(ERROR|FATAL)/.test(line))

/** Starts a server on any free port and waits until it listens. */
export const start = async (options: StartOptions): Promise<ServerProcess> => {
  const logFile = `${options.directory}.${options.name ?? "server"}.log`
  const child = spawnProgram(["serve"], { ...options, preload: [...options.preload ?? [], probe] }, logFile)
  const origin = await listening(child, logFile, performance.now() + STARTUP_MILLIS)
  const pid = child.pid ?? 0
  let peakMemory = Number.POSITIVE_INFINITY
  const kill = async () => {
    if (!hasEnded(child)) peakMemory = peakMemoryOf(pid)
    child.kill("SIGKILL")
    await ended(child)
  }
  return {
    origin,
    port: Number(new URL(origin).port),
    pid,
    directory: options.directory,
    send: (message) => send(child, message),
    isRunning: () => !hasEnded(child),
    errors: () => errorsIn(readFileSync(logFile, "utf8")),
    beginWatch: () => {
      if (hasEnded(child)) return
      // Resets the peak of the resident memory (proc_pid_clear_refs(5)).
      writeFileSync(`/proc/${pid}/clear_refs`, "5")
      send(child, "begin")
    },
    endWatch: () => endWatch(child, pid, peakMemory),
    kill
  }
}

/** Does the work with a running server, and kills the server afterwards. */
export const use = async <A>(options: StartOptions, work: (server: ServerProcess) => Promise<A>): Promise<A> => {
  const server = await start(options)
  try {
    return await work(server)
  } finally {
    await server.kill()
  }
}

/** Runs a command of the program to its end and returns its output. */
export const runCommand = async (
  directory: string,
  args: ReadonlyArray<string>
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const logFile = `${directory}.command.log`
  const child = spawnProgram(args, { directory }, logFile)
  await ended(child)
  return { code: child.exitCode, output: readFileSync(logFile, "utf8") }
}
