import { Effect } from "effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../../..", import.meta.url))
/** The entry point of the compiled program. */
export const MAIN = fileURLToPath(new URL("../../dist/main.js", import.meta.url))

/** Whether this worker has compiled the program. Its tests share modules. */
let isBuilt = false

/** Compiles and bundles the program, so that the tests start the present sources. */
export const build = (): void => {
  if (isBuilt) return
  for (const step of [["node_modules/typescript/bin/tsc", "-b", "apps/server"], ["apps/server/scripts/bundle.mjs"]]) {
    const { status, stderr, stdout } = spawnSync(process.execPath, step, { cwd: root, encoding: "utf8" })
    if (status !== 0) throw new Error(`The program does not compile:\n${stdout}${stderr}`)
  }
  isBuilt = true
}

/** The result of a process. */
export interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A process that is running. */
export interface Running {
  readonly stdout: () => string
  readonly stderr: () => string
  /** Waits for the end of the process. */
  readonly ended: Effect.Effect<Ended>
  /** Waits for that text in the standard error; fails if the process ends before. */
  readonly says: (text: string) => Effect.Effect<void, Ended>
  /** The same for the standard output. */
  readonly prints: (text: string) => Effect.Effect<void, Ended>
  /** Closes the reader's end of the standard output and error: writes of the process fail from then on. */
  readonly closeOutputs: Effect.Effect<void>
  /** Writes to the standard input, which stays open, and waits until the pipe to the process has room for all of it. */
  readonly type: (text: string) => Effect.Effect<void>
  readonly signal: (signal: "SIGHUP" | "SIGTERM" | "SIGINT" | "SIGKILL") => Effect.Effect<void>
}

/** Starts the program with those arguments and only this environment. The end of the scope ends it. */
export const start = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => spawn(process.execPath, [MAIN, ...args], { env: environment })),
      (child) => Effect.sync(() => child.kill("SIGKILL"))
    ),
    watch
  )

const watch = (child: ChildProcess): Running => {
  let stdout = ""
  let stderr = ""
  let end: Ended | undefined
  const watchers = new Set<() => void>()
  const changed = () => watchers.forEach((watcher) => watcher())
  child.stdout?.on("data", (chunk: Buffer) => {
    stdout += chunk.toString()
    changed()
  })
  child.stderr?.on("data", (chunk: Buffer) => {
    stderr += chunk.toString()
    changed()
  })
  child.on("close", (code) => {
    end = { code, stdout, stderr }
    changed()
  })
  // A program that ends does not read the rest of its input.
  child.stdin?.on("error", () => {})
  const when = <A, E>(look: () => Effect.Effect<A, E> | undefined): Effect.Effect<A, E> =>
    Effect.async<A, E>((resume) => {
      const watcher = () => {
        const seen = look()
        if (seen === undefined) return
        watchers.delete(watcher)
        resume(seen)
      }
      watchers.add(watcher)
      watcher()
    })
  const appears = (output: () => string) => (text: string) =>
    when(() => output().includes(text) ? Effect.void : end === undefined ? undefined : Effect.fail(end))
  return {
    stdout: () => stdout,
    stderr: () => stderr,
    ended: when(() => end === undefined ? undefined : Effect.succeed(end)),
    says: appears(() => stderr),
    prints: appears(() => stdout),
    closeOutputs: Effect.sync(() => {
      child.stdout?.destroy()
      child.stderr?.destroy()
    }),
    type: (text) => Effect.async<void>((resume) => void child.stdin?.write(text, () => resume(Effect.void))),
    signal: (signal) => Effect.sync(() => child.kill(signal))
  }
}

/** Starts the server on any port and waits until it listens. */
export const serve = (args: ReadonlyArray<string>, environment: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const program = yield* start(["serve", ...args], { LOG_FORMAT: "logfmt", PORT: "0", ...environment })
    yield* program.says("Listening on ")
    const baseUrl = /Listening on (\S+\/v1)/.exec(program.stderr())?.[1] ?? ""
    return { ...program, baseUrl }
  })
