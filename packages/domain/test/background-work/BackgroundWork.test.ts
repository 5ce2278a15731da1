import * as Samples from "@community-messaging/domain-contract/Samples"
import {
  allEvents,
  AN_HOUR_LATER,
  inUtc,
  keep,
  posted,
  scene,
  schedule,
  scheduleDeletion,
  startPlus,
  stored,
  storedUser
} from "@community-messaging/domain-contract/world/Scene"
import { START } from "@community-messaging/domain-contract/world/World"
import { interrupt, letOthersRun, yieldingBefore } from "@community-messaging/domain-contract/world/YieldingFiber"
import type { TokenDigest } from "@community-messaging/domain/access/Token"
import { isDeleted } from "@community-messaging/domain/account/User"
import { WorkPlacement } from "@community-messaging/domain/background-work/WorkPlacement"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Option, Ref, Scope, TestClock } from "effect"
import { linesOf } from "../../../../test/Logged.ts"
import { afterCommits, begin, inService, inServiceOver } from "./Working.ts"

/** A storage whose first update of a scheduled message fails. */
const failingOnce = Layer.effect(
  ScheduledMessageRepository,
  Effect.gen(function*() {
    const messages = yield* ScheduledMessageRepository
    const isWell = yield* Ref.make(false)
    return {
      ...messages,
      update: (message, expected) =>
        Effect.flatMap(
          Ref.getAndSet(isWell, true),
          (wasWell) => wasWell ? messages.update(message, expected) : new StorageError({ operation: "update" })
        )
    }
  })
)

/** A storage that fails, in the first minute, to return when the next message is due. */
const outOfReach = Layer.effect(
  ScheduledMessageRepository,
  Effect.map(ScheduledMessageRepository, (messages) => ({
    ...messages,
    nextDueAt: Effect.flatMap(
      Effect.clockWith((clock) => clock.currentTimeMillis),
      (now) => now < startPlus("1 minute").epochMillis ? new StorageError({ operation: "look" }) : messages.nextDueAt
    )
  }))
)

const status = (message: { readonly id: Parameters<typeof stored>[0] }) =>
  Effect.map(stored(message.id), (found) => found.status)

describe("a pending message", () => {
  it.scoped("that could not be checked is checked again 5 seconds later, without any commit", () =>
    Effect.gen(function*() {
      const message = yield* keep(yield* scene(), { status: "pending" })
      yield* begin
      yield* TestClock.adjust("4999 millis")
      expect(yield* status(message)).toBe("pending")
      yield* TestClock.adjust("1 millis")
      expect(yield* afterCommits(status(message), (now) => now !== "pending")).toBe("scheduled")
    }).pipe(inServiceOver(Layer.provideMerge(failingOnce, StorageMemory.layer))))
})

/** A storage with a due message that another unit of work has locked. Counts how often it is looked for. */
const lockedBy = (looks: Ref.Ref<number>) =>
  Layer.effect(
    ScheduledMessageRepository,
    Effect.map(ScheduledMessageRepository, (messages) => ({
      ...messages,
      claimDue: () => Effect.as(Ref.update(looks, (count) => count + 1), []),
      nextDueAt: Effect.succeedSome(startPlus("0 seconds"))
    }))
  )

describe("a due item", () => {
  it.scoped("that another unit of work has locked is looked for five times a second", () =>
    Effect.gen(function*() {
      const looks = yield* Ref.make(0)
      yield* Effect.zipRight(begin, TestClock.adjust("1 second")).pipe(
        inServiceOver(Layer.provideMerge(lockedBy(looks), StorageMemory.layer))
      )
      expect(yield* Ref.get(looks)).toBe(6)
    }))

  it.scoped("is a message at its time and not before", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      yield* begin
      yield* TestClock.setTime(AN_HOUR_LATER.epochMillis - 1)
      expect(yield* posted(at.channel.id)).toEqual([])
      yield* TestClock.adjust("1 millis")
      const messages = yield* afterCommits(posted(at.channel.id), (found) => found.length > 0)
      expect(messages.map(({ createdAt }) => createdAt)).toEqual([AN_HOUR_LATER])
    }).pipe(inService))

  it.scoped("is a message that a commit makes due earlier while the work sleeps", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* begin
      yield* TestClock.adjust("1 minute")
      yield* schedule(at, inUtc(startPlus("2 minutes")))
      yield* TestClock.adjust("1 minute")
      expect(yield* afterCommits(posted(at.channel.id), (found) => found.length > 0)).toHaveLength(1)
    }).pipe(inService))

  it.scoped("is the deletion of an account at its date", () =>
    Effect.gen(function*() {
      const { author } = yield* scene()
      yield* scheduleDeletion(author.id, 1)
      // Not while the work runs: it wakes once a minute.
      yield* TestClock.adjust("23 hours")
      yield* begin
      yield* TestClock.setTime(startPlus("1 day").epochMillis - 1)
      expect(isDeleted(yield* storedUser(author.id))).toBe(false)
      yield* TestClock.adjust("1 millis")
      expect(isDeleted(yield* afterCommits(storedUser(author.id), isDeleted))).toBe(true)
    }).pipe(inService))

  it.scoped("stays unchanged after the layer is closed", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      const scope = yield* Scope.make()
      yield* Scope.extend(begin, scope)
      yield* TestClock.adjust("1 minute")
      yield* Scope.close(scope, Exit.void)
      yield* TestClock.adjust("2 hours")
      expect(yield* posted(at.channel.id)).toEqual([])
    }).pipe(inService))
})

describe("due work", () => {
  /** When due messages were last looked for. */
  const lastLook = Effect.map(
    begin,
    ({ status: statusNow }) => Effect.map(statusNow, ({ postDueMessages }) => postDueMessages.lastSuccessAt)
  )

  it.scoped("is looked for once a minute, because the wall clock may be set", () =>
    Effect.gen(function*() {
      yield* schedule(yield* scene())
      const looked = yield* lastLook
      yield* TestClock.adjust("10 minutes")
      expect(yield* looked).toEqual(Option.some(startPlus("10 minutes")))
    }).pipe(inService))

  it.scoped("is looked for 200 ms after a commit, together with that of the commits in between", () =>
    Effect.gen(function*() {
      const looked = yield* lastLook
      yield* TestClock.adjust("1 second")
      yield* schedule(yield* scene())
      yield* TestClock.adjust("199 millis")
      const before = yield* looked
      yield* TestClock.adjust("1 millis")
      expect([before, yield* looked]).toEqual([Option.some(START), Option.some(startPlus("1200 millis"))])
    }).pipe(inService))
})

describe("expired data", () => {
  const expiredCode = Effect.gen(function*() {
    const { author } = yield* scene()
    const code = Samples.code({ userId: author.id, expiresAt: startPlus("15 minutes") })
    yield* Effect.flatMap(ConsentRepository, ({ insertCode }) => insertCode(code))
    return code.digest
  })
  const isStored = (digest: TokenDigest) =>
    Effect.map(Effect.flatMap(ConsentRepository, ({ findCode }) => findCode(digest)), Option.isSome)

  it.scoped("is removed every ten minutes", () =>
    Effect.gen(function*() {
      const digest = yield* expiredCode
      const { status: statusNow } = yield* begin
      yield* TestClock.setTime(startPlus("20 minutes").epochMillis - 1)
      expect(yield* isStored(digest)).toBe(true)
      yield* TestClock.adjust("1 millis")
      yield* TestClock.adjust("1 minute")
      expect(yield* isStored(digest)).toBe(false)
      expect((yield* statusNow).removeExpiredData).toEqual({
        lastSuccessAt: Option.some(startPlus("20 minutes")),
        lastFailureAt: Option.none(),
        busySince: Option.none(),
        failedItems: 0
      })
    }).pipe(inService))
})

describe("the status", () => {
  it.scoped("has the time of the last success of each step", () =>
    Effect.gen(function*() {
      const { status: statusNow } = yield* begin
      yield* TestClock.adjust("1 second")
      const idle = {
        lastSuccessAt: Option.some(START),
        lastFailureAt: Option.none(),
        busySince: Option.none(),
        failedItems: 0
      }
      expect(yield* statusNow).toEqual({
        checkPendingMessages: idle,
        postDueMessages: idle,
        deleteDueAccounts: idle,
        removeExpiredData: idle
      })
    }).pipe(inService))

  it.scoped("counts the items that failed, each time", () =>
    Effect.gen(function*() {
      yield* keep(yield* scene(), { status: "pending" })
      const { status: statusNow } = yield* begin
      yield* TestClock.adjust("1 minute")
      expect((yield* statusNow).checkPendingMessages.failedItems).toBe(1)
    }).pipe(inServiceOver(Layer.provideMerge(failingOnce, StorageMemory.layer))))

  it.scoped("has the time of the last failure of a step, which continues when the storage works again", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      const { status: statusNow } = yield* begin
      yield* TestClock.adjust("7 seconds")
      expect((yield* statusNow).postDueMessages).toEqual({
        lastSuccessAt: Option.none(),
        lastFailureAt: Option.some(startPlus("5 seconds")),
        busySince: Option.none(),
        failedItems: 0
      })
      yield* TestClock.adjust("1 hour")
      yield* afterCommits(posted(at.channel.id), (found) => found.length > 0)
      yield* TestClock.adjust("1 second")
      expect(Option.isSome((yield* statusNow).postDueMessages.lastSuccessAt)).toBe(true)
      expect(yield* allEvents).toContainEqual(expect.objectContaining({ _tag: "message.created" }))
    }).pipe(inServiceOver(Layer.provideMerge(outOfReach, StorageMemory.layer))))

  it.scoped("logs one line for each attempt while the storage fails: the step and the failed operation", () =>
    Effect.gen(function*() {
      const lines = yield* linesOf(Effect.zipRight(begin, TestClock.adjust("7 seconds")))
      const failed = [["Background work failed"], { step: "postDueMessages", cause: "StorageError in look" }]
      expect(lines).toEqual([failed, failed])
    }).pipe(inServiceOver(Layer.provideMerge(outOfReach, StorageMemory.layer))))
})

/** A placement where work waits until the test runs it. Steps by their names. */
const waitingPlace = Effect.sync(() => {
  const works = new Map<string, Effect.Effect<never>>()
  const placement = Layer.succeed(WorkPlacement, (step, work) => Effect.sync(() => void works.set(step, work)))
  const run = (step: string) => Effect.fork(works.get(step) ?? Effect.dieMessage(`No work for ${step}`))
  return { placement, run, works }
})

describe("a step that moves to another process", () => {
  it.scoped("ends in this one, before whatever step of its fibers it is interrupted", () =>
    Effect.gen(function*() {
      const { placement, works } = yield* waitingPlace
      yield* Effect.provide(begin, placement)
      const work = works.get("postDueMessages") ?? Effect.dieMessage("No work")
      for (const step of Array.from({ length: 150 }, (_, index) => index + 1)) {
        // The test clock itself does not survive an interruption before every step.
        const running = yield* yieldingBefore(step, Effect.withClock(work, realTime))
        yield* letOthersRun
        interrupt(running)
        yield* letOthersRun
        expect([step, running.unsafePoll() === null]).toEqual([step, false])
      }
    }).pipe(inService))
})

/** A storage that returns once when the next message is due, and then never responds. */
const answeringOnce = Layer.effect(
  ScheduledMessageRepository,
  Effect.gen(function*() {
    const messages = yield* ScheduledMessageRepository
    const hasAnswered = yield* Ref.make(false)
    return {
      ...messages,
      nextDueAt: Effect.if(Ref.getAndSet(hasAnswered, true), {
        onTrue: () => Effect.never,
        onFalse: () => messages.nextDueAt
      })
    }
  })
)

describe("a step that purges deleted data", () => {
  const neverPurged = Layer.merge(StorageMemory.layer, Layer.succeed(DeletedData, { purge: Effect.never }))

  it.scoped("is not busy, because a purge takes long in a large storage", () =>
    Effect.gen(function*() {
      const { status: statusNow } = yield* begin
      yield* TestClock.adjust("1 second")
      const { busySince, lastSuccessAt } = (yield* statusNow).removeExpiredData
      expect([Option.isSome(lastSuccessAt), Option.isSome(busySince)]).toEqual([true, false])
    }).pipe(inServiceOver(neverPurged)))
})

describe("a placement", () => {
  it.scoped("decides where each step runs", () =>
    Effect.gen(function*() {
      const at = yield* scene()
      yield* schedule(at)
      const { placement, run, works } = yield* waitingPlace
      yield* Effect.provide(begin, placement)
      expect([...works.keys()]).toEqual([
        "checkPendingMessages",
        "postDueMessages",
        "deleteDueAccounts",
        "removeExpiredData"
      ])
      yield* TestClock.adjust("2 hours")
      expect(yield* posted(at.channel.id)).toEqual([])
      yield* run("postDueMessages")
      expect(yield* afterCommits(posted(at.channel.id), (found) => found.length > 0)).toHaveLength(1)
    }).pipe(inService))

  it.scoped("may move a step while it works: it is then not busy in this process", () =>
    Effect.gen(function*() {
      const { placement, run } = yield* waitingPlace
      const { status: statusNow } = yield* Effect.provide(begin, placement)
      const working = yield* run("postDueMessages")
      yield* TestClock.adjust("1 second")
      expect((yield* statusNow).postDueMessages.busySince).toEqual(Option.some(START))
      yield* Fiber.interrupt(working)
      expect((yield* statusNow).postDueMessages.busySince).toEqual(Option.none())
    }).pipe(inServiceOver(Layer.provideMerge(answeringOnce, StorageMemory.layer))))

  it.scoped("may move a step that failed: this process then reports no failure", () =>
    Effect.gen(function*() {
      const { placement, run } = yield* waitingPlace
      const { status: statusNow } = yield* Effect.provide(begin, placement)
      const working = yield* run("postDueMessages")
      yield* TestClock.adjust("1 second")
      expect((yield* statusNow).postDueMessages.lastFailureAt).toEqual(Option.some(START))
      yield* Fiber.interrupt(working)
      expect((yield* statusNow).postDueMessages.lastFailureAt).toEqual(Option.none())
    }).pipe(inServiceOver(Layer.provideMerge(outOfReach, StorageMemory.layer))))
})
