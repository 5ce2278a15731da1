import { START, useCases } from "@community-messaging/domain-contract/world/World"
import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { Context, Effect, Layer, Logger, Queue, TestClock } from "effect"

/* Tests of the background work: with Effect's TestClock, because the work sleeps. */

/** Runs the test from `START` on, with the use cases over the given storage. */
export const inServiceOver = (storage: Layer.Layer<StoragePorts>) => <A, E, R>(test: Effect.Effect<A, E, R>) =>
  Effect.zipRight(TestClock.setTime(START), test).pipe(
    Effect.provide(
      useCases(1).pipe(
        Layer.provideMerge(storage),
        Layer.provide(Logger.replace(Logger.defaultLogger, Logger.none))
      )
    )
  )

/** Runs the test from `START` on, with the use cases over a storage in memory. */
export const inService = inServiceOver(StorageMemory.layer)

/** Starts the background work for the rest of the test. */
export const begin = Effect.map(Layer.build(BackgroundWork.layer), (context) => Context.get(context, BackgroundWork))

/** Checks now and after each commit that appends events, until the condition is true. */
export const afterCommits = <A, E, R>(look: Effect.Effect<A, E, R>, isSeen: (seen: A) => boolean) =>
  Effect.gen(function*() {
    const appended = yield* Effect.flatMap(EventLog, ({ subscribe }) => subscribe)
    let seen = yield* look
    while (!isSeen(seen)) {
      yield* Queue.take(appended)
      seen = yield* look
    }
    return seen
  })
