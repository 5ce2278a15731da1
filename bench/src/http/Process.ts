import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"

/** How long a process may take to end before it is made to. */
const PATIENCE_MILLIS = 5000

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0

/** Where processes run: a server has a core of its own, several share all of them with the database. */
export type Core = "server" | "load" | "any"

/** How processes are kept apart, for the report. */
export const PINNING = canPin ? "server on core 0, load generator on core 1" : "none: servers and load share the cores"

const running = new Set<ChildProcess>()

// However the benchmark ends.
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL")
})

/** Starts a Node program that the benchmark ends; it can send messages to the benchmark. */
export const start = (
  core: Core,
  args: ReadonlyArray<string>,
  environment: Readonly<Record<string, string>> = {}
): ChildProcess => {
  const pins = canPin && core !== "any"
  const pinned = pins ? ["-c", core === "server" ? "0" : "1", process.execPath, ...args] : args
  const child = spawn(pins ? "taskset" : process.execPath, pinned, {
    stdio: ["ignore", "ignore", "inherit", "ipc"],
    env: { ...process.env, ...environment }
  })
  running.add(child)
  child.once("exit", () => running.delete(child))
  return child
}

/** The next message of a process; fails where it ends instead. */
export const nextMessage = async (child: ChildProcess): Promise<unknown> => {
  const done = new AbortController()
  try {
    return await Promise.race([
      once(child, "message", { signal: done.signal }).then(([message]): unknown => message),
      once(child, "exit", { signal: done.signal }).then(([code]) => {
        throw new Error(`A process of the benchmark ended: ${String(code)}.`)
      })
    ])
  } finally {
    done.abort()
  }
}

/** Ends a process and waits until it is gone. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const late = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MILLIS)
  await ended
  clearTimeout(late)
}
