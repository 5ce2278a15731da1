import { paused } from "@community-messaging/domain-contract/Atomically"
import * as Samples from "@community-messaging/domain-contract/Samples"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer } from "effect"
import { isKept, letOthersRun } from "./SideBySide.ts"
import { temporaryStorage } from "./TemporaryDatabase.ts"

describe("work beside a transaction", () => {
  it.effect("a read does not wait for the transaction, and sees what was committed before it", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const user = Samples.user()
      const transaction = yield* paused(save(user))
      const during = yield* isKept(user)
      yield* transaction.release
      expect([during, yield* isKept(user)]).toEqual([false, true])
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a write does not wait for a snapshot, which does not see the write", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { snapshot } = yield* UnitOfWork
      const user = Samples.user()
      const begun = yield* Deferred.make<void>()
      const writer = yield* Effect.fork(Effect.zipRight(Deferred.await(begun), save(user)))
      const seen = yield* snapshot(Effect.gen(function*() {
        const before = yield* isKept(user)
        yield* Deferred.succeed(begun, undefined)
        yield* Fiber.join(writer)
        return [before, yield* isKept(user)]
      }))
      expect([seen, yield* isKept(user)]).toEqual([[false, false], true])
    }).pipe(Effect.provide(temporaryStorage)))
})

describe("units of work inside another one", () => {
  it.effect("a write beside one that fails is committed", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { atomically } = yield* UnitOfWork
      const kept = Samples.user()
      const failing = atomically(Effect.zipRight(letOthersRun, Effect.fail("no")))
      yield* atomically(Effect.all([Effect.flip(failing), save(kept)], { concurrency: "unbounded" }))
      expect(yield* isKept(kept)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a unit of work on one storage has no effect on another storage", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* Layer.build(temporaryStorage), yield* Layer.build(temporaryStorage)]
      const user = Samples.user()
      const copy = Effect.zipRight(Context.get(other, UserRepository).save(user), Effect.fail("no"))
      yield* Effect.flip(Context.get(one, UnitOfWork).atomically(copy))
      expect(yield* Effect.provide(isKept(user), other)).toBe(true)
    }).pipe(Effect.scoped))
})
