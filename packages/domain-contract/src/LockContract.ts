import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { Aggregate } from "@community-messaging/domain/shared-kernel/Aggregate"
import { Snowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { expect } from "@effect/vitest"
import { Array as Arrays, Cause, Effect, Exit, Option } from "effect"
import { atomically } from "./Atomically.ts"
import { portContract } from "./OwnPorts.ts"
import * as Saved from "./Saved.ts"

const lock = (...aggregates: ReadonlyArray<Aggregate>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.lock(...aggregates))

const share = (...aggregates: ReadonlyArray<Aggregate>) =>
  Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.share(...aggregates))

const lockAll = Effect.flatMap(UnitOfWork, (unitOfWork) => unitOfWork.lockAll)

const find = ({ id }: User) => Effect.map(Effect.flatMap(UserRepository, (users) => users.find(id)), Option.getOrThrow)

/** Reads the account, and saves it with one more flag. */
const count = (user: User) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    const before = yield* find(user)
    yield* Effect.yieldNow()
    yield* users.save({ ...before, flags: before.flags + 1n })
  })

const isDefect = <A, E>(exit: Exit.Exit<A, E>) => Exit.isFailure(exit) && Cause.isDie(exit.cause)

const unknown: Aggregate = { kind: "webhook", id: Snowflake.make("404") }

/** The contract of `UnitOfWork.lock` and `UnitOfWork.share`. */
export const lockContract = portContract<UnitOfWork | UserRepository>("UnitOfWork.lock", ({ it }) => {
  it("a lock outside a unit of work is a defect", function*() {
    expect(isDefect(yield* Effect.exit(lock(unknown)))).toBe(true)
    expect(isDefect(yield* Effect.exit(share(unknown)))).toBe(true)
    expect(isDefect(yield* Effect.exit(lockAll))).toBe(true)
    yield* atomically(Effect.void)
    expect(isDefect(yield* Effect.exit(lock(unknown)))).toBe(true)
  })

  it("a free aggregate is locked at once, whether it exists or not, and more than once", function*() {
    yield* atomically(Effect.zipRight(lock(unknown), Effect.all([lock(unknown), lock()])))
    yield* atomically(lock(unknown))
    yield* atomically(Effect.zipRight(share(unknown), share(unknown)))
  })

  it("a unit that fails or dies releases its locks", function*() {
    const user = yield* Saved.user()
    const counted = Effect.zipRight(lock({ kind: "account", id: user.id }), count(user))
    yield* Effect.exit(atomically(Effect.zipRight(counted, Effect.fail("no"))))
    yield* Effect.exit(atomically(Effect.zipRight(counted, Effect.die("broken"))))
    yield* Effect.exit(atomically(Effect.zipRight(counted, Effect.interrupt)))
    yield* atomically(counted)
    expect((yield* find(user)).flags).toBe(1n)
  })

  it("units that lock the same aggregates in different orders all end", function*() {
    const [first, second] = [yield* Saved.user(), yield* Saved.user()]
    const unit = (...users: ReadonlyArray<User>) =>
      atomically(Effect.zipRight(
        lock(...users.map(({ id }): Aggregate => ({ kind: "account", id }))),
        Effect.forEach(users, count, { discard: true })
      ))
    const units = Arrays.makeBy(20, (n) => n % 2 === 0 ? unit(first, second) : unit(second, first))
    yield* Effect.all(units, { concurrency: "unbounded", discard: true })
    expect([(yield* find(first)).flags, (yield* find(second)).flags]).toEqual([20n, 20n])
  })

  it("a unit that locks all aggregates and one that locks some lose no update of each other", function*() {
    const user = yield* Saved.user()
    const unit = (n: number) =>
      atomically(Effect.zipRight(n % 5 === 0 ? lockAll : lock({ kind: "account", id: user.id }), count(user)))
    yield* Effect.all(Arrays.makeBy(20, unit), { concurrency: "unbounded", discard: true })
    expect((yield* find(user)).flags).toBe(20n)
  })

  it("a unit with a shared lock sees no change by units with an exclusive lock", function*() {
    const user = yield* Saved.user()
    const changed = atomically(Effect.zipRight(lock({ kind: "account", id: user.id }), count(user)))
    const twice = atomically(Effect.gen(function*() {
      yield* share({ kind: "account", id: user.id })
      const before = yield* find(user)
      yield* Effect.yieldNow()
      return [before.flags, (yield* find(user)).flags] as const
    }))
    const all = Arrays.makeBy(20, (n) => n % 2 === 0 ? Effect.as(changed, [0n, 0n] as const) : twice)
    const seen = yield* Effect.all(all, { concurrency: "unbounded" })
    expect(seen.filter(([before, after]) => before !== after)).toEqual([])
  })
})
