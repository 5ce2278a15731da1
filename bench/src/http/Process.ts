import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { availableParallelism } from "node:os"

/** A process that takes longer to end is killed. */
const STOP_TIMEOUT_MILLIS = 5000

const canPin = availableParallelism() > 1 && spawnSync("taskset", ["-c", "0", "true"]).status === 0

/** Where a process runs: one server has its own core; several servers share all cores with the database. */
export type Core = "server" | "load" | "any"

/** How processes are pinned to cores, for the report. */
export const PINNING = canPin ? "server on core 0, load generator on core 1" : "none: servers and load share the cores"

const running = new Set<ChildProcess>()

// No process outlives the benchmark, even if it fails.
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

/** The next message of a process; fails if the process ends instead. */
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

/** Stops a process and waits until it has ended. */
export const stop = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, "exit")
  child.kill("SIGTERM")
  const late = setTimeout(() => child.kill("SIGKILL"), STOP_TIMEOUT_MILLIS)
  await ended
  clearTimeout(late)
}
