import { BackgroundWork, type StepStatus } from "@community-messaging/domain/background-work/BackgroundWork"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import type { Page } from "@community-messaging/http-adapter/server/Page"
import * as Reply from "@community-messaging/http-adapter/server/replies/Reply"
import { Context, DateTime, Duration, Effect, Fiber, Layer, Option, Runtime } from "effect"

/** How long a report is cached. Anyone may request one, and a report writes to the storage. */
const CACHED_FOR_NANOS = 1_000_000_000n

/** The maximum time of a check. Probes wait a second or more. */
const MAX_CHECK_TIME = Duration.seconds(1)

/** How long a step of the background work may take for one batch. A batch takes milliseconds. */
const MAX_BATCH_TIME = Duration.minutes(1)

/** The result of a check. */
interface CheckResult {
  readonly name: string
  readonly status: "pass" | "fail"
  /** The reason of a failure, which anyone may read. */
  readonly reason?: string
}

/** Whether the server can work. */
export interface Report {
  readonly status: "starting" | "ready" | "not_ready" | "stopping"
  readonly checks: ReadonlyArray<CheckResult>
}

/** A check. If it returns the reason of a failure, or the storage fails, the server should get no requests. */
interface Check {
  readonly name: string
  readonly run: Effect.Effect<Option.Option<string>, StorageError>
}

/** Whether the server can work: from its start until it stops. */
export class Health extends Context.Tag("@community-messaging/server/Health")<Health, {
  /** The server has started: from now on, these checks decide. */
  readonly started: (checks: ReadonlyArray<Check>) => Effect.Effect<void>
  /** The server stops: from now on, it is not ready. */
  readonly stopping: Effect.Effect<void>
  /** The report of the last second. */
  readonly report: Effect.Effect<Report>
}>() {}

const STARTING: Report = { status: "starting", checks: [] }
const STOPPING: Report = { status: "stopping", checks: [] }

/** The result of a check, and for the log the reason of a failure in more detail. */
interface Examined {
  readonly result: CheckResult
  readonly cause?: string
}

const failed = (name: string, reason: string, cause = reason): Examined => ({
  result: { name, status: "fail", reason },
  cause: `${name}: ${cause}`
})

/** Runs a check. */
const perform = ({ name, run }: Check): Effect.Effect<Examined> =>
  run.pipe(
    // Does not wait for work that cannot be interrupted.
    Effect.disconnect,
    Effect.timeoutTo({
      duration: MAX_CHECK_TIME,
      onSuccess: (reason) => reason,
      onTimeout: () => Option.some(`no answer within ${Duration.format(MAX_CHECK_TIME)}`)
    }),
    Effect.map(Option.match({
      onNone: (): Examined => ({ result: { name, status: "pass" } }),
      onSome: (reason) => failed(name, reason)
    })),
    Effect.catchAllCause((cause) => Effect.succeed(failed(name, "the storage failed", LoggedCause.describe(cause))))
  )

const make: Effect.Effect<Context.Tag.Service<Health>> = Effect.gen(function*() {
  const clock = yield* Effect.clock
  // A report belongs to no request: the first client may disconnect, and all others share it.
  const fork = Runtime.runFork(yield* Effect.runtime())
  let checks: ReadonlyArray<Check> | undefined
  let isStopping = false
  let last: Report["status"] = "ready"
  let latest: { readonly at: bigint; readonly fiber: Fiber.Fiber<Report> } | undefined

  /** Logs a change, not every probe. */
  const announce = (status: Report["status"], examined: ReadonlyArray<Examined>) =>
    Effect.suspend(() => {
      if (status === last) return Effect.void
      last = status
      const names = examined.filter(({ result }) => result.status === "fail").map(({ result }) => result.name).join(",")
      const cause = examined.flatMap((one) => one.cause ?? []).join("; ")
      return status === "ready"
        ? Effect.logInfo("Ready again")
        : Effect.annotateLogs(Effect.logWarning("Not ready"), { failed_checks: names, cause })
    })

  const examine = (present: ReadonlyArray<Check>) =>
    Effect.forEach(present, perform, { concurrency: "unbounded" }).pipe(
      Effect.flatMap((examined) => {
        const results = examined.map(({ result }) => result)
        const status = results.every((check) => check.status === "pass") ? "ready" : "not_ready"
        return Effect.as(announce(status, examined), { status, checks: results } satisfies Report)
      })
    )

  return {
    started: (present) =>
      Effect.sync(() => {
        checks = present
      }),
    stopping: Effect.sync(() => {
      isStopping = true
    }),
    report: Effect.suspend(() => {
      if (isStopping) return Effect.succeed(STOPPING)
      if (checks === undefined) return Effect.succeed(STARTING)
      const now = clock.unsafeCurrentTimeNanos()
      if (latest !== undefined && now - latest.at < CACHED_FOR_NANOS) return Fiber.join(latest.fiber)
      latest = { at: now, fiber: fork(examine(checks)) }
      return Fiber.join(latest.fiber)
    })
  }
})

/** A server that starts. */
export const layer: Layer.Layer<Health> = Layer.effect(Health, make)

const isStalled = ({ busySince, lastSuccessAt }: StepStatus, now: DateTime.Utc): boolean =>
  Option.exists(busySince, (since) => {
    const active = Option.match(lastSuccessAt, {
      onNone: () => since,
      onSome: (success) => DateTime.max(since, success)
    })
    return DateTime.distance(active, now) > Duration.toMillis(MAX_BATCH_TIME)
  })

/** Returns the checks of a server with a storage and background work. */
const serverChecks = Effect.map(
  Effect.all([StorageHealth, SnowflakeGenerator, BackgroundWork]),
  ([storage, snowflakes, { status }]): ReadonlyArray<Check> => [
    { name: "storage_read", run: Effect.as(storage.read, Option.none()) },
    { name: "storage_write", run: Effect.as(storage.write, Option.none()) },
    // Without a worker number, there are no ids.
    { name: "ids", run: Effect.as(snowflakes.next, Option.none()) },
    {
      name: "migrations",
      run: Effect.map(
        storage.isMigrated,
        (isMigrated) => isMigrated ? Option.none() : Option.some("the schema is not the one of this program")
      )
    },
    {
      name: "background_work",
      run: Effect.zipWith(status, DateTime.now, (steps, now) => {
        const stalled = Object.entries(steps).flatMap(([name, step]) => isStalled(step, now) ? [name] : [])
        return stalled.length === 0
          ? Option.none()
          : Option.some(`stalled for over ${Duration.format(MAX_BATCH_TIME)}: ${stalled.join(", ")}`)
      })
    }
  ]
)

/** Lets the checks decide from now on, because everything has started. */
export const started = Layer.effectDiscard(
  Effect.flatMap(Effect.all([Health, serverChecks]), ([health, checks]) => health.started(checks))
)

/**
 * The pages for health checks of an orchestrator or a load balancer, without credentials. `/health/live`: the process
 * responds; if not, restart it. `/health/ready`: the server can do its work; if not (503), send it no requests. Source:
 * docs/operating.md, Health.
 */
export const pages = Effect.map(Health, ({ report }): ReadonlyArray<Page> => [
  { _tag: "Page", path: "/health/live", isQuiet: true, reply: Reply.json(200, { status: "live" }, Reply.NO_HEADERS) },
  {
    _tag: "Page",
    path: "/health/ready",
    link: { name: "health", title: "Health" },
    isQuiet: true,
    reply: () =>
      Effect.map(
        report,
        ({ checks, status }) => Reply.json(status === "ready" ? 200 : 503, { status, checks }, Reply.NO_HEADERS)
      )
  }
])
