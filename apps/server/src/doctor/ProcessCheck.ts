import { MAX_WORKERS } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import { Effect, Option } from "effect"
import * as OpenFiles from "../serving/OpenFiles.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

/** Checks that the process may open as many files as the server needs. */
export const openFiles = (maxConnections: number): Effect.Effect<Finding> =>
  Effect.map(OpenFiles.limit, (limit) => {
    if (Option.isNone(limit)) return ok("open files", "no limit")
    const needed = maxConnections + OpenFiles.RESERVED
    const found = `at most ${limit.value}, MAX_CONNECTIONS is ${maxConnections} and needs ${needed}`
    return limit.value < needed
      ? warning(
        "open files",
        found,
        `run ulimit -n ${needed} before the start; otherwise the server accepts fewer connections`
      )
      : ok("open files", found)
  })

/** Checks that a further process finds a worker number for its ids. */
export const workers = (taken: number): Finding => {
  const found = `${taken} of ${MAX_WORKERS} worker numbers are taken, one by each running process`
  return taken < MAX_WORKERS
    ? ok("workers", found)
    : problem("workers", found, "stop processes on the same data: a further one cannot start")
}
