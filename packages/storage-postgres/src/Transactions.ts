import type { Restore } from "@community-messaging/domain/shared-kernel/FifoLock"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { traced } from "@community-messaging/domain/shared-kernel/Traced"
import type { Storage, Unit } from "@community-messaging/storage-sql/Units"
import { Effect, Random } from "effect"
import type { Mode } from "./Group.ts"
import * as GroupCommit from "./GroupCommit.ts"

/** The maximum number of runs of a unit of work that fails because of concurrent ones. */
const MAX_RUNS = 6

/** The maximum wait before the second run, in milliseconds. It doubles with each run. */
const RETRY_MILLIS = 8

const inSpan = traced("postgres.transaction", { kind: "client" })

/** Waits briefly, and longer with each run. */
const pause = (restore: Restore, runs: number): Effect.Effect<void> =>
  Effect.flatMap(
    Random.nextRange(0, RETRY_MILLIS * 2 ** (runs - 1)),
    (millis) => Effect.withClock(restore(Effect.sleep(millis)), realTime)
  )

/** Makes units of work in transactions that run side by side. */
export const make = (options: GroupCommit.Options): Pick<Storage, "snapshot" | "transact"> => {
  const runOnce = GroupCommit.make(options)
  /** Runs a unit of work until it is committed, or fails by itself. */
  const untilDone =
    (first: Mode) => <A, E, R>(body: (unit: Unit) => Effect.Effect<A, E, R>): Effect.Effect<A, E | StorageError, R> =>
      inSpan(Effect.uninterruptibleMask((restore) => {
        const attempt = (runs: number, mode: Mode): Effect.Effect<A, E | StorageError, R> =>
          Effect.flatMap(runOnce(restore, body, mode), (outcome): Effect.Effect<A, E | StorageError, R> => {
            const next = mode === "snapshot" ? mode : "alone"
            if (outcome === "again") return attempt(runs, next)
            if (outcome !== "conflict") return outcome
            if (runs >= MAX_RUNS) {
              return new StorageError({ operation: "run a unit of work: it conflicts with others each time" })
            }
            return Effect.zipRight(pause(restore, runs), Effect.suspend(() => attempt(runs + 1, next)))
          })
        return attempt(1, first)
      }))
  return { snapshot: untilDone("snapshot"), transact: untilDone("shared") }
}
