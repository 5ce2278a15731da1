import { WorkerNumber } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import * as PostgresDatabase from "@community-messaging/storage-postgres/PostgresDatabase"
import * as WorkerLeases from "@community-messaging/storage-postgres/WorkerLeases"
import { Effect, Layer, Redacted, Schedule } from "effect"

const [, , url = "", lease = ""] = process.argv

/** Reads the worker number again and again, and sends each result: the number, or that there is none. */
const asking = Effect.flatMap(WorkerNumber, ({ current }) =>
  current.pipe(
    Effect.orElseSucceed(() => "none"),
    Effect.tap((answer) => Effect.sync(() => process.send?.(answer))),
    Effect.repeat(Schedule.spaced("10 millis"))
  ))

Effect.runFork(asking.pipe(
  Effect.provide(
    WorkerLeases.layer({ lease: `${Number(lease)} millis` }).pipe(
      Layer.provide(PostgresDatabase.layer({ url: Redacted.make(url), poolSize: 2 }))
    )
  )
))
