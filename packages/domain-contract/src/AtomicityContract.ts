import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import type { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Option } from "effect"
import { atomically, paused } from "./Atomically.ts"
import { changeAll, foundOf, kindsOf, type Related, related, writeAll } from "./EveryPort.ts"
import { portContract, PORTS } from "./OwnPorts.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))

/** The usernames of the accounts that exist. */
const namesOf = (users: ReadonlyArray<User>) =>
  Effect.forEach(
    users,
    ({ id }) => Effect.map(Effect.flatMap(UserRepository, (repository) => repository.find(id)), Option.toArray)
  )
    .pipe(Effect.map((found) => found.flat().map(({ username }) => username)))

const outer = Samples.user({ username: "outer" })
const inner = Samples.user({ username: "inner" })
const innermost = Samples.user({ username: "innermost" })

const ENDINGS = [
  { ending: "fails", end: Effect.fail("no") },
  { ending: "dies", end: Effect.die("broken") },
  { ending: "is interrupted", end: Effect.interrupt }
]

/** The contract of `UnitOfWork.atomically`: all writes or none. */
export const atomicityContract = portContract<UnitOfWork | UserRepository>(
  "UnitOfWork, all or nothing",
  ({ has, it }) => {
    const kinds = kindsOf(has)
    const ownOf = (all: Related) => Effect.map(foundOf(all), (found) => found.filter((kind) => kinds.includes(kind)))

    it("a unit of work that succeeds commits its writes through every port, and returns its result", function*() {
      const all = related()
      expect(yield* atomically(Effect.as(writeAll(all), "done"))).toBe("done")
      expect(yield* ownOf(all)).toEqual(kinds)
    })

    it("a unit of work reads its own writes, but perhaps not its own events", function*() {
      const all = related()
      const seen = yield* atomically(Effect.zipRight(writeAll(all), ownOf(all)))
      const isState = (kind: string) => kind !== "event"
      expect(seen.filter(isState)).toEqual(kinds.filter(isState))
    })

    it.each(ENDINGS)("a unit of work that $ending leaves no write, through any port", function*({ end }) {
      const all = related()
      yield* Effect.exit(atomically(Effect.zipRight(writeAll(all), end)))
      expect(yield* ownOf(all)).toEqual([])
    })

    it("a unit of work that is interrupted while it waits leaves no write, through any port", function*() {
      const all = related()
      const { fiber } = yield* paused(writeAll(all))
      yield* Fiber.interrupt(fiber)
      expect(yield* ownOf(all)).toEqual([])
    })

    if (has(GuildRepository)) {
      it("a unit of work that continues after a refused write commits all other writes, or fails without them", function*() {
        const guilds = yield* GuildRepository
        const refused = Effect.flip(guilds.saveChannel(Samples.channel()))
        const unit = yield* Effect.exit(atomically(Effect.zipRight(save(outer), refused)))
        expect(yield* namesOf([outer])).toEqual(Exit.isSuccess(unit) ? ["outer"] : [])
      })
    }

    if (has(...PORTS)) {
      it("a unit of work that fails has changed nothing, through any port: it can run again", function*() {
        const all = related()
        yield* writeAll(all)
        yield* Saved.user({ pendingDeletionAt: Option.some(Samples.NOON) })
        const first = yield* Effect.flip(atomically(Effect.flatMap(changeAll(all), Effect.fail)))
        expect(yield* atomically(changeAll(all))).toEqual(first)
      })
    }

    it("an interruption waits until the unit of work has ended", function*() {
      const written = yield* Deferred.make<void>()
      let seen: ReadonlyArray<string> = []
      const fiber = yield* Effect.fork(atomically(
        save(outer).pipe(
          Effect.zipRight(Deferred.succeed(written, undefined)),
          Effect.zipRight(Effect.never),
          Effect.onInterrupt(() =>
            Effect.map(Effect.orDie(Effect.zipRight(Effect.yieldNow(), namesOf([outer]))), (names) => {
              seen = names
            })
          )
        )
      ))
      yield* Deferred.await(written)
      yield* Fiber.interrupt(fiber)
      expect([seen, yield* namesOf([outer])]).toEqual([["outer"], []])
    })

    it("a failure, a defect and an interruption are passed on unchanged", function*() {
      expect(yield* Effect.exit(atomically(Effect.fail("no")))).toEqual(Exit.fail("no"))
      expect(yield* Effect.exit(atomically(Effect.die("broken")))).toEqual(Exit.die("broken"))
      const exit = yield* Effect.exit(atomically(Effect.interrupt))
      expect(Exit.isFailure(exit) && Cause.isInterrupted(exit.cause)).toBe(true)
    })

    it("a joined fiber that ran its own unit of work does not replace the unit that joins it", function*() {
      const before = yield* Effect.fork(atomically(save(outer)))
      yield* Fiber.await(before)
      const joining = Fiber.join(before).pipe(Effect.zipRight(save(inner)), Effect.zipRight(Effect.fail("no")))
      yield* Effect.flip(atomically(joining))
      expect(yield* namesOf([outer, inner])).toEqual(["outer"])
    })

    it("writes of fibers inside a unit of work are committed when it succeeds", function*() {
      yield* atomically(Effect.all([save(outer), save(inner), save(innermost)], { concurrency: "unbounded" }))
      expect(yield* namesOf([outer, inner, innermost])).toEqual(["outer", "inner", "innermost"])
    })

    it("writes of fibers inside a unit of work are rolled back when it fails", function*() {
      const writes = Effect.all([save(outer), save(inner), save(innermost)], { concurrency: "unbounded" })
      yield* Effect.flip(atomically(Effect.zipRight(writes, Effect.fail("no"))))
      expect(yield* namesOf([outer, inner, innermost])).toEqual([])
    })

    describe("nested", () => {
      it("each reads what the other wrote, and both are committed when both succeed", function*() {
        const seen = yield* atomically(Effect.gen(function*() {
          yield* save(outer)
          const within = yield* atomically(Effect.zipRight(save(inner), namesOf([outer])))
          return [within, yield* namesOf([inner])]
        }))
        expect([...seen, yield* namesOf([outer, inner])]).toEqual([["outer"], ["inner"], ["outer", "inner"]])
      })

      it("neither is committed when the outer one fails after the inner one succeeded", function*() {
        const both = Effect.zipRight(save(outer), atomically(save(inner)))
        yield* Effect.flip(atomically(Effect.zipRight(both, Effect.fail("no"))))
        expect(yield* namesOf([outer, inner])).toEqual([])
      })

      it("neither is committed when the failure of the inner one is not caught", function*() {
        const failing = atomically(Effect.zipRight(save(inner), Effect.fail("no")))
        expect(yield* Effect.flip(atomically(Effect.zipRight(save(outer), failing)))).toBe("no")
        expect(yield* namesOf([outer, inner])).toEqual([])
      })

      it.each(ENDINGS)(
        "an inner one that $ending, and is caught, rolls back only its own writes",
        function*({ end }) {
          const seen = yield* atomically(Effect.gen(function*() {
            yield* save(outer)
            yield* Effect.exit(atomically(Effect.zipRight(save(inner), end)))
            const between = yield* namesOf([outer, inner])
            yield* save(innermost)
            return between
          }))
          expect([seen, yield* namesOf([outer, inner, innermost])]).toEqual([["outer"], ["outer", "innermost"]])
        }
      )

      it("an inner one that fails restores what it changed of the outer one's writes", function*() {
        yield* atomically(Effect.gen(function*() {
          yield* save(outer)
          const renaming = Effect.zipRight(save({ ...outer, username: "renamed" }), Effect.fail("no"))
          yield* Effect.flip(atomically(renaming))
        }))
        expect(yield* namesOf([outer])).toEqual(["outer"])
      })

      it("an inner one that fails also rolls back those inside it", function*() {
        yield* atomically(Effect.gen(function*() {
          yield* save(outer)
          const nested = Effect.zipRight(save(inner), atomically(save(innermost)))
          yield* Effect.flip(atomically(Effect.zipRight(nested, Effect.fail("no"))))
        }))
        expect(yield* namesOf([outer, inner, innermost])).toEqual(["outer"])
      })

      it("of two inner ones side by side, the one that fails rolls back its own writes only", function*() {
        const written = (user: User) => Effect.zipRight(save(user), Effect.yieldNow())
        yield* atomically(Effect.all([
          atomically(Effect.zipRight(written(outer), written(innermost))),
          Effect.either(atomically(Effect.zipRight(written(inner), Effect.fail("no"))))
        ], { concurrency: "unbounded" }))
        expect(yield* namesOf([outer, inner, innermost])).toEqual(["outer", "innermost"])
      })
    })

    if (has(EventLog)) {
      it("a reader of events that resumes misses none that was committed, and reads none of a failed unit of work", function*() {
        const { append, read } = yield* EventLog
        const event = (user: User) => append(Samples.event(user.id))
        const failing = Effect.flip(atomically(Effect.zipRight(event(inner), Effect.fail("no"))))
        yield* event(outer)
        const last = (yield* read(0, 100)).at(-1)?.sequence ?? 0
        yield* failing
        yield* atomically(event(outer).pipe(Effect.zipRight(failing), Effect.zipRight(event(innermost))))
        const found = yield* EventStream.read(last, 100)
        expect(found.flatMap(({ event: told }) => told._tag === "user.updated" ? [told.userId] : []))
          .toEqual([outer.id, innermost.id])
      })
    }
  }
)
