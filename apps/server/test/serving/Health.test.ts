import { type BackgroundStatus, BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { SnowflakeGenerator } from "@community-messaging/domain/shared-kernel/SnowflakeGenerator"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Duration, Effect, HashMap, Layer, Logger, Option, TestClock } from "effect"
import * as Health from "../../src/serving/Health.ts"

const idle = { lastSuccessAt: Option.none(), lastFailureAt: Option.none(), busySince: Option.none(), failedItems: 0 }

/** A server whose background work has posted messages since that time, with its last batch at that time, in seconds. */
const posting = (since: number, lastBatch: Option.Option<number>, ids = SnowflakeGenerator.layer(0)) => {
  const moment = (seconds: number) => DateTime.unsafeMake(seconds * 1000)
  const status: BackgroundStatus = {
    checkPendingMessages: idle,
    postDueMessages: {
      ...idle,
      busySince: Option.some(moment(since)),
      lastSuccessAt: Option.map(lastBatch, moment)
    },
    deleteDueAccounts: idle,
    removeExpiredData: idle
  }
  return Layer.provideMerge(Health.started, Health.layer).pipe(
    Layer.provide(Layer.succeed(BackgroundWork, { status: Effect.succeed(status) })),
    Layer.provide(ids),
    Layer.provide(StorageMemory.layer)
  )
}

const resultOf = (check: string) =>
  Effect.gen(function*() {
    yield* TestClock.adjust(Duration.seconds(100))
    const { checks } = yield* (yield* Health.Health).report
    return checks.find(({ name }) => name === check)
  })

const background = resultOf("background_work")

describe("the check of the background work", () => {
  it.effect.each([
    { what: "a batch that has just begun", since: 99, lastBatch: Option.none() },
    { what: "much work with a batch that ended a moment ago", since: 1, lastBatch: Option.some(99) }
  ])("passes during $what", ({ lastBatch, since }) =>
    Effect.gen(function*() {
      expect(yield* background).toEqual({ name: "background_work", status: "pass" })
    }).pipe(Effect.provide(posting(since, lastBatch))))

  it.effect("fails, and names the step, when a batch takes more than a minute", () =>
    Effect.gen(function*() {
      expect(yield* background).toEqual({
        name: "background_work",
        status: "fail",
        reason: "stalled for over 1m: postDueMessages"
      })
    }).pipe(Effect.provide(posting(39, Option.some(1)))))
})

describe("the check of the ids", () => {
  const noNumber = new StorageError({ operation: "generate an id: this process has no worker number" })
  const none = Layer.succeed(SnowflakeGenerator, { next: noNumber })

  it.effect("fails while no ids can be generated", () =>
    Effect.gen(function*() {
      expect(yield* resultOf("ids")).toEqual({ name: "ids", status: "fail", reason: "the storage failed" })
    }).pipe(Effect.provide(posting(99, Option.none(), none))))
})

describe("a server that is no longer ready", () => {
  it.effect("logs the reason once, in more detail than its response, and that it is ready again", () =>
    Effect.gen(function*() {
      const full = new StorageError({ operation: "write", cause: new Error("disk full") })
      let isFull = true
      const lines: Array<unknown> = []
      const log = Logger.make(({ annotations, message }) =>
        void lines.push([String(message), Object.fromEntries(HashMap.toEntries(annotations))])
      )
      const { report, started } = yield* Effect.provide(
        Health.Health,
        Layer.provideMerge(Health.layer, Logger.replace(Logger.defaultLogger, log))
      )
      yield* started([
        { name: "storage_read", run: Effect.succeedNone },
        { name: "storage_write", run: Effect.suspend(() => isFull ? full : Effect.succeedNone) }
      ])
      const first = yield* report
      yield* TestClock.adjust(Duration.seconds(2))
      expect(yield* report).toEqual(first)
      expect(first.checks).toEqual([
        { name: "storage_read", status: "pass" },
        { name: "storage_write", status: "fail", reason: "the storage failed" }
      ])
      isFull = false
      yield* TestClock.adjust(Duration.seconds(2))
      expect((yield* report).status).toBe("ready")
      expect(lines).toEqual([
        [
          "Not ready",
          { failed_checks: "storage_write", cause: "storage_write: StorageError in write, caused by Error" }
        ],
        ["Ready again", {}]
      ])
    }))
})
