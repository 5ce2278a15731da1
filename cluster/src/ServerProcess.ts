import { Data, Effect, type Scope } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"

/** A server ends before it listens. */
export class ServerNotStarted extends Data.TaggedError("ServerNotStarted")<{
  readonly name: string
  /** The last lines of its log. */
  readonly log: string
}> {
  override get message(): string {
    return `${this.name} does not start:\n${this.log}`
  }
}

/** A server in its own process. */
export interface ServerProcess {
  readonly name: string
  /** The origin on which it listens: `http://127.0.0.1:PORT`. */
  readonly origin: string
  readonly pid: number
  /** Ends when the process has ended: the code or the signal. */
  readonly ended: Effect.Effect<string>
}

/** How to start a server. */
export interface Options {
  readonly name: string
  readonly arguments: ReadonlyArray<string>
  /** `start` waits for a line with this text, after the line with the origin. */
  readonly until: string
  readonly settings: Readonly<Record<string, string>>
}

const main = fileURLToPath(new URL("../../apps/server/dist/main.js", import.meta.url))

/** How long a server may take to stop, in milliseconds. */
const STOP_MILLIS = 15_000

const KEPT_LINES = 20

/** Only the variables that every program needs: settings of the server come from the options alone. */
const INHERITED = ["PATH", "HOME", "TMPDIR"]

const inherited = () => Object.fromEntries(INHERITED.map((name) => [name, process.env[name] ?? ""]))

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

const ended = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (!hasEnded(child)) await once(child, "exit")
    return child.signalCode ?? `code ${child.exitCode}`
  })

const stop = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (hasEnded(child)) return
    child.kill("SIGTERM")
    const late = setTimeout(() => child.kill("SIGKILL"), STOP_MILLIS)
    await once(child, "exit")
    clearTimeout(late)
  })

/** Starts a server, and waits until it listens. It stops with the scope. */
export const start = (
  { arguments: given, name, settings, until }: Options
): Effect.Effect<ServerProcess, ServerNotStarted, Scope.Scope> =>
  Effect.gen(function*() {
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [main, "serve", ...given], {
          stdio: ["ignore", "pipe", "pipe"],
          env: { ...inherited(), HOST: "127.0.0.1", PORT: "0", LOG_FORMAT: "logfmt", ...settings }
        })
      ),
      stop
    )
    const lines: Array<string> = []
    let listening: string | undefined
    const origin = yield* Effect.async<string, ServerNotStarted>((resume) => {
      const read = (line: string) => {
        lines.push(line)
        if (lines.length > KEPT_LINES) lines.shift()
        listening ??= /Listening on (http:\/\/127\.0\.0\.1:\d+)/.exec(line)?.[1]
        if (listening !== undefined && line.includes(until)) resume(Effect.succeed(listening))
      }
      for (const stream of [child.stdout, child.stderr]) createInterface({ input: stream }).on("line", read)
      child.once("close", () => resume(new ServerNotStarted({ name, log: lines.join("\n") })))
    })
    return { name, origin, pid: child.pid ?? 0, ended: ended(child) }
  })
