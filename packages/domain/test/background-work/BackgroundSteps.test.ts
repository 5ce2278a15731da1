import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import * as Faults from "@community-messaging/domain-contract/world/Faults"
import {
  keep,
  NOTHING_DUE,
  posted,
  scene,
  schedule,
  scheduleDeletion
} from "@community-messaging/domain-contract/world/Scene"
import * as Time from "@community-messaging/domain-contract/world/Time"
import { START } from "@community-messaging/domain-contract/world/World"
import { letOthersRun } from "@community-messaging/domain-contract/world/YieldingFiber"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as BackgroundSteps from "@community-messaging/domain/background-work/BackgroundSteps"
import { BackgroundWork } from "@community-messaging/domain/background-work/BackgroundWork"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { ScheduledMessages } from "@community-messaging/domain/scheduled-message/ScheduledMessages"
import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { Webhooks } from "@community-messaging/domain/webhook/Webhooks"
import { describe, expect } from "@effect/vitest"
import { Deferred, Effect, Either, Exit, Fiber, Option } from "effect"
import { it } from "../World.ts"

describe("the background work done once", () => {
  it("returns what each step did", function*() {
    const at = yield* scene()
    const leaving = yield* scene()
    yield* keep(at, { status: "pending" })
    yield* Effect.replicateEffect(schedule(at), 12)
    yield* keep(at, { status: "cancelled", endedAt: Option.some(START) })
    yield* (yield* ConsentRepository).insertCode(Samples.code({ userId: at.author.id, expiresAt: START }))
    const webhook = yield* Saved.webhook()
    yield* (yield* Webhooks).post(webhook, {
      deliveryId: Option.some("d1"),
      embed: Either.left("event ignored"),
      announcement: Option.none()
    })
    yield* scheduleDeletion(leaving.author.id, 40)
    yield* Time.adjust("40 days")
    const { removeExpiredData, ...handled } = yield* BackgroundWork.runOnce
    expect(handled).toEqual({
      checkPendingMessages: { claimed: 1, done: 1, failed: 0 },
      // The message that was pending is due, too.
      postDueMessages: { claimed: 13, done: 13, failed: 0 },
      deleteDueAccounts: { claimed: 1, done: 1, failed: 0 }
    })
    // The events of the scheduling: twelve messages and a deletion.
    expect(removeExpiredData).toEqual({
      scheduledMessages: 1,
      authorizationCodes: 1,
      deliveries: 1,
      events: 13,
      purged: true
    })
    expect(yield* posted(at.channel.id)).toHaveLength(13)
  })
})

describe("a step", () => {
  it("that is interrupted handles what it has claimed, and claims no more", function*() {
    const at = yield* scene()
    yield* Effect.replicateEffect(schedule(at), 12)
    yield* Time.adjust("1 days")
    const { postDueMessages } = yield* BackgroundWork.steps
    const interruptSelf = Effect.withFiberRuntime<void>((fiber) => Fiber.interruptFork(fiber))
    const step = yield* Effect.fork(Faults.meanwhile("scheduledMessages.claimDue", interruptSelf)(postDueMessages))
    expect(Exit.isInterrupted(yield* Fiber.await(step))).toBe(true)
    expect(yield* posted(at.channel.id)).toHaveLength(10)
    expect(yield* postDueMessages).toEqual({ claimed: 2, done: 2, failed: 0 })
  })

  it("that is interrupted does not wait for the removal of expired data", function*() {
    const webhooks = yield* Webhooks
    const begun = yield* Deferred.make<void>()
    const forgetDeliveries = () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
    const { removeExpiredData } = yield* Effect.provideService(BackgroundWork.steps, Webhooks, {
      ...webhooks,
      forgetDeliveries
    })
    const step = yield* Effect.forkDaemon(removeExpiredData)
    yield* Deferred.await(begun)
    yield* Fiber.interruptFork(step)
    yield* letOthersRun
    expect(step.unsafePoll()).not.toBe(null)
  })

  it("checks the pending messages behind a batch that fails", function*() {
    const at = yield* scene()
    yield* Effect.replicateEffect(keep(at, { status: "pending" }), 12)
    const messages = yield* ScheduledMessages
    const armPending: typeof messages.armPending = (options) => {
      const batch = messages.armPending(options)
      return Option.isNone(options.after) ? Faults.whileFailing("scheduledMessages.update")(batch) : batch
    }
    const { checkPendingMessages } = yield* Effect.provideService(
      BackgroundWork.steps,
      ScheduledMessages,
      { ...messages, armPending }
    )
    expect(yield* checkPendingMessages).toEqual({ claimed: 12, done: 2, failed: 10 })
  })

  it("ends when 100 pending messages have failed", function*() {
    const at = yield* scene()
    yield* Effect.replicateEffect(keep(at, { status: "pending" }), 112)
    const { checkPendingMessages } = yield* BackgroundWork.steps
    const failing = Faults.whileFailing("scheduledMessages.update")(checkPendingMessages)
    expect(yield* failing).toEqual({ claimed: 100, done: 0, failed: 100 })
    expect(yield* checkPendingMessages).toEqual({ claimed: 112, done: 112, failed: 0 })
  })

  it("fails if the storage fails", function*() {
    const at = yield* scene()
    yield* schedule(at)
    yield* Time.adjust("2 hours")
    const { postDueMessages } = yield* BackgroundWork.steps
    const failure = yield* Effect.flip(Faults.whileFailing("scheduledMessages.claimDue")(postDueMessages))
    expect(failure._tag).toBe("StorageError")
  })

  it("lets the event loop run between batches, so that requests are served", function*() {
    const at = yield* scene()
    yield* Effect.replicateEffect(schedule(at), 30)
    yield* Time.adjust("2 hours")
    const order: Array<"batch" | "turn"> = []
    const { postDueMessages } = yield* BackgroundSteps.make({
      onBatch: () =>
        Effect.sync(() => {
          order.push("batch")
          setImmediate(() => order.push("turn"))
        }),
      onPurge: () => Effect.void
    })
    yield* postDueMessages
    // If the system pauses the process for a millisecond, Node runs the timers of one gap in the same turn.
    expect(order.slice(0, order.lastIndexOf("batch"))).toContain("turn")
    expect(order.filter((entry) => entry === "batch")).toHaveLength(4)
  })
})

describe("the bytes of deleted accounts", () => {
  /** Deletes due accounts. Returns the result, and for each purge whether a deletion is left to do. */
  const deleteDueAccounts = Effect.gen(function*() {
    const users = yield* UserRepository
    const purges: Array<{ readonly isDeletionLeft: boolean }> = []
    const purge = Effect.map(users.nextDeletionAt, (next) => {
      purges.push({ isDeletionLeft: Option.isSome(next) })
      return true
    })
    const steps = yield* Effect.provideService(BackgroundWork.steps, DeletedData, { purge })
    return { ...yield* steps.deleteDueAccounts, purges }
  })

  it("are purged once, after all batches of due deletions", function*() {
    const accounts = yield* Effect.replicateEffect(Saved.user(), 12)
    yield* Effect.forEach(accounts, ({ id }) => scheduleDeletion(id, 1))
    yield* Time.adjust("1 day")
    expect(yield* deleteDueAccounts).toEqual({
      claimed: 12,
      done: 12,
      failed: 0,
      purges: [{ isDeletionLeft: false }]
    })
  })

  it("are not purged if no account was deleted", function*() {
    const { id } = yield* Saved.user()
    yield* scheduleDeletion(id, 1)
    expect(yield* deleteDueAccounts).toEqual({ ...NOTHING_DUE, purges: [] })
  })
})
