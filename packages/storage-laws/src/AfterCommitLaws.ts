import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, type Layer, Option } from "effect"
import { atomically } from "./Atomically.ts"
import * as Samples from "./Samples.ts"

/** What happened, in order. */
const makeLog = Effect.map(UnitOfWork, ({ afterCommit }) => {
  const entries: Array<string> = []
  const note = (entry: string) =>
    Effect.zipRight(
      Effect.yieldNow(),
      Effect.sync(() => {
        entries.push(entry)
      })
    )
  return { entries, note, noteAfterCommit: (entry: string) => afterCommit(note(entry)) }
})

const write = Effect.flatMap(UserRepository, (users) => users.save(Samples.user()))

/** Five units of work, each of which notes its beginning and, twice, its commit. */
const makeUnits = Effect.map(makeLog, ({ entries, note, noteAfterCommit }) => ({
  entries,
  units: ["a", "b", "c", "d", "e"].map((name) =>
    atomically(Effect.gen(function*() {
      yield* note(`${name} begins`)
      yield* write
      yield* noteAfterCommit(`${name} first`)
      yield* noteAfterCommit(`${name} second`)
    }))
  )
}))

/** What `UnitOfWork.afterCommit` promises. */
export const afterCommitLaws = <E>(storage: Layer.Layer<StoragePorts, E>) =>
  describe("UnitOfWork, after the commit", () => {
    it.effect("what was registered runs after the unit of work, in the order of the calls, and before it returns", () =>
      Effect.gen(function*() {
        const { entries, note, noteAfterCommit } = yield* makeLog
        yield* atomically(Effect.gen(function*() {
          yield* noteAfterCommit("first")
          yield* write
          yield* noteAfterCommit("second")
          yield* note("body")
        }))
        expect(entries).toEqual(["body", "first", "second"])
      }).pipe(Effect.provide(storage)))

    it.effect("what runs after the commit finds what was committed", () =>
      Effect.gen(function*() {
        const users = yield* UserRepository
        const { afterCommit } = yield* UnitOfWork
        const user = Samples.user()
        let found = Option.none<string>()
        yield* atomically(Effect.gen(function*() {
          yield* afterCommit(Effect.orDie(Effect.map(users.find(user.id), (read) => {
            found = Option.map(read, ({ username }) => username)
          })))
          yield* users.save(user)
        }))
        expect(found).toEqual(Option.some(user.username))
      }).pipe(Effect.provide(storage)))

    it.effect("what runs after commits runs in the order of the units of work", () =>
      Effect.gen(function*() {
        const { entries, units } = yield* makeUnits
        yield* Effect.all(units, { concurrency: "unbounded" })
        const order = entries.filter((entry) => entry.endsWith(" begins")).map((entry) => entry.charAt(0))
        expect(entries.filter((entry) => !entry.endsWith(" begins")))
          .toEqual(order.flatMap((name) => [`${name} first`, `${name} second`]))
      }).pipe(Effect.provide(storage)))

    it.effect("what runs after commits is done before another transaction begins", () =>
      Effect.gen(function*() {
        const { entries, units } = yield* makeUnits
        yield* Effect.all(units, { concurrency: "unbounded" })
        // Units of work that are committed at the same moment may all begin before what follows the first of them.
        const early = entries.filter((entry, index) => {
          const before = entries.slice(0, index)
          const begun = before.filter((earlier) => earlier.endsWith(" begins")).length
          const isNextTransaction = entry.endsWith(" begins") && before.at(-1)?.endsWith(" begins") === false
          return isNextTransaction && before.length !== 3 * begun
        })
        expect(early).toEqual([])
      }).pipe(Effect.provide(storage)))

    it.effect("outside a unit of work it runs at once", () =>
      Effect.gen(function*() {
        const { entries, note, noteAfterCommit } = yield* makeLog
        yield* noteAfterCommit("registered")
        yield* note("next")
        expect(entries).toEqual(["registered", "next"])
      }).pipe(Effect.provide(storage)))

    it.effect("what a fiber within a unit of work registers runs after the commit", () =>
      Effect.gen(function*() {
        const { entries, note, noteAfterCommit } = yield* makeLog
        yield* atomically(Effect.zipRight(
          Effect.all([noteAfterCommit("registered"), write], { concurrency: "unbounded" }),
          note("body")
        ))
        expect(entries).toEqual(["body", "registered"])
      }).pipe(Effect.provide(storage)))

    it.effect("an interruption does not cut it short", () =>
      Effect.gen(function*() {
        const { entries, noteAfterCommit } = yield* makeLog
        const { afterCommit } = yield* UnitOfWork
        const committed = yield* Deferred.make<void>()
        const unit = yield* Effect.fork(atomically(Effect.gen(function*() {
          yield* afterCommit(Effect.asVoid(Deferred.succeed(committed, undefined)))
          yield* noteAfterCommit("first")
          yield* noteAfterCommit("second")
          yield* write
        })))
        yield* Deferred.await(committed)
        yield* Fiber.interrupt(unit)
        expect(entries).toEqual(["first", "second"])
      }).pipe(Effect.provide(storage)))

    const endings = [
      { ending: "fails", end: Effect.fail("no") },
      { ending: "dies", end: Effect.die("broken") },
      { ending: "is interrupted", end: Effect.interrupt }
    ]

    it.effect.each(endings)("a unit of work that $ending forgets it", ({ end }) =>
      Effect.gen(function*() {
        const { entries, noteAfterCommit } = yield* makeLog
        yield* Effect.exit(atomically(Effect.zipRight(noteAfterCommit("registered"), end)))
        yield* atomically(write)
        expect(entries).toEqual([])
      }).pipe(Effect.provide(storage)))

    it.effect("what an inner unit of work registered runs after the commit of the outer one, in the order of the calls", () =>
      Effect.gen(function*() {
        const { entries, note, noteAfterCommit } = yield* makeLog
        yield* atomically(Effect.gen(function*() {
          yield* noteAfterCommit("outer before")
          yield* atomically(Effect.zipRight(noteAfterCommit("inner"), write))
          yield* noteAfterCommit("outer after")
          yield* note("body")
        }))
        expect(entries).toEqual(["body", "outer before", "inner", "outer after"])
      }).pipe(Effect.provide(storage)))

    it.effect("an inner unit of work that fails forgets what it registered, and nothing else", () =>
      Effect.gen(function*() {
        const { entries, noteAfterCommit } = yield* makeLog
        yield* atomically(Effect.gen(function*() {
          yield* noteAfterCommit("outer before")
          yield* Effect.flip(atomically(Effect.zipRight(noteAfterCommit("inner"), Effect.fail("no"))))
          yield* noteAfterCommit("outer after")
        }))
        expect(entries).toEqual(["outer before", "outer after"])
      }).pipe(Effect.provide(storage)))

    it.effect("what an inner unit of work registered is forgotten when the outer one fails", () =>
      Effect.gen(function*() {
        const { entries, noteAfterCommit } = yield* makeLog
        const inner = atomically(noteAfterCommit("inner"))
        yield* Effect.flip(atomically(Effect.zipRight(inner, Effect.fail("no"))))
        yield* atomically(write)
        expect(entries).toEqual([])
      }).pipe(Effect.provide(storage)))
  })
