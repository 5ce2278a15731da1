import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import * as Samples from "@community-messaging/storage-laws/Samples"
import { describe, expect, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Option } from "effect"
import { isKept, letOthersRun, paused } from "./SideBySide.ts"
import { temporaryStorage } from "./TemporaryDatabase.ts"

describe("what runs beside a transaction", () => {
  it.effect("a read waits for the transaction and sees what it kept", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const user = Samples.user()
      const transaction = yield* paused(save(user))
      const read = yield* Effect.fork(isKept(user))
      yield* letOthersRun
      expect(Option.isNone(yield* Fiber.poll(read))).toBe(true)
      yield* transaction.goOn
      expect(yield* Fiber.join(read)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a read that waited sees nothing of a transaction that failed", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const user = Samples.user()
      const transaction = yield* paused(save(user))
      const read = yield* Effect.fork(isKept(user))
      yield* letOthersRun
      yield* Fiber.interrupt(transaction.fiber)
      expect(yield* Fiber.join(read)).toBe(false)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a write beside a transaction that fails is kept", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const beside = Samples.user()
      const transaction = yield* paused(save(Samples.user()))
      const write = yield* Effect.fork(save(beside))
      yield* letOthersRun
      yield* Fiber.interrupt(transaction.fiber)
      yield* Fiber.join(write)
      expect(yield* isKept(beside)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a transaction that is interrupted while it waits lets the next one in", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { atomically } = yield* UnitOfWork
      const next = Samples.user()
      const transaction = yield* paused(save(Samples.user()))
      const waiting = yield* Effect.fork(atomically(save(Samples.user())))
      yield* letOthersRun
      yield* Fiber.interrupt(waiting)
      yield* transaction.goOn
      yield* Fiber.join(transaction.fiber)
      yield* atomically(save(next))
      expect(yield* isKept(next)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a transaction that is interrupted lets the next one in", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const next = Samples.user()
      const transaction = yield* paused(save(Samples.user()))
      yield* Fiber.interrupt(transaction.fiber)
      yield* save(next)
      expect(yield* isKept(next)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a fiber that outlives its transaction writes outside of the next one", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { atomically } = yield* UnitOfWork
      const late = Samples.user()
      const over = yield* Deferred.make<void>()
      const leftBehind = yield* atomically(Effect.forkDaemon(Effect.zipRight(Deferred.await(over), save(late))))
      const next = yield* paused(save(Samples.user()))
      yield* Deferred.succeed(over, undefined)
      yield* letOthersRun
      yield* Fiber.interrupt(next.fiber)
      yield* Fiber.join(leftBehind)
      expect(yield* isKept(late)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))
})

describe("parts of a transaction", () => {
  it.effect("of parts that run at a time each fails for itself alone", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { atomically } = yield* UnitOfWork
      const [kept, undone] = [Samples.user(), Samples.user()]
      const failing = atomically(save(undone).pipe(Effect.zipRight(letOthersRun), Effect.zipRight(Effect.fail("no"))))
      const succeeding = atomically(Effect.zipRight(save(kept), letOthersRun))
      yield* atomically(Effect.all([Effect.flip(failing), succeeding], { concurrency: "unbounded" }))
      expect([yield* isKept(kept), yield* isKept(undone)]).toEqual([true, false])
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a write beside a part that fails is kept", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { atomically } = yield* UnitOfWork
      const kept = Samples.user()
      const failing = atomically(Effect.zipRight(letOthersRun, Effect.fail("no")))
      yield* atomically(Effect.all([Effect.flip(failing), save(kept)], { concurrency: "unbounded" }))
      expect(yield* isKept(kept)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("a unit of work of one storage does not reach into another storage", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* Layer.build(temporaryStorage), yield* Layer.build(temporaryStorage)]
      const user = Samples.user()
      const copy = Effect.zipRight(Context.get(other, UserRepository).save(user), Effect.fail("no"))
      yield* Effect.flip(Context.get(one, UnitOfWork).atomically(copy))
      expect(yield* Effect.provide(isKept(user), other)).toBe(true)
    }).pipe(Effect.scoped))
})

describe("what follows a commit", () => {
  it.effect("may use the storage itself", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { afterCommit, atomically } = yield* UnitOfWork
      const [first, second] = [Samples.user(), Samples.user()]
      const follow = Effect.if(isKept(first), { onTrue: () => atomically(save(second)), onFalse: () => Effect.void })
      yield* atomically(Effect.gen(function*() {
        const context = yield* Effect.context<UserRepository>()
        yield* save(first)
        yield* afterCommit(Effect.orDie(Effect.provide(follow, context)))
      }))
      expect(yield* isKept(second)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))

  it.effect("undoes nothing when it goes wrong", () =>
    Effect.gen(function*() {
      const { save } = yield* UserRepository
      const { afterCommit, atomically } = yield* UnitOfWork
      const user = Samples.user()
      yield* atomically(Effect.zipRight(save(user), afterCommit(Effect.dieMessage("a mistake"))))
      expect(yield* isKept(user)).toBe(true)
    }).pipe(Effect.provide(temporaryStorage)))
})
