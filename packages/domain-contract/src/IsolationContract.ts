import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Exit, Fiber, Option } from "effect"
import { atomically, letRun, paused } from "./Atomically.ts"
import { portContract } from "./OwnPorts.ts"
import * as Samples from "./Samples.ts"
import * as Saved from "./Saved.ts"

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))

const find = ({ id }: User) => Effect.map(Effect.flatMap(UserRepository, (users) => users.find(id)), Option.getOrThrow)

/** Locks and reads the account, lets others run, and saves it with one more flag. */
const count = (user: User) =>
  Effect.gen(function*() {
    yield* (yield* UnitOfWork).lock({ kind: "account", id: user.id })
    const before = yield* find(user)
    yield* Effect.yieldNow()
    yield* save({ ...before, flags: before.flags + 1n })
    yield* Effect.yieldNow()
  })

/** The contract of `UnitOfWork.atomically` for concurrent units. */
export const isolationContract = portContract<UnitOfWork | UserRepository>(
  "UnitOfWork, several at a time",
  ({ has, it }) => {
    const ends: ReadonlyArray<readonly [how: string, end: Effect.Effect<void, string>, after: string]> = [
      ["commits later", Effect.void, "after"],
      ["rolls back later", Effect.fail("no"), "before"]
    ]

    it.each(ends)(
      "a reader outside never sees what a unit of work has written and %s",
      function*([, end, after]) {
        const user = yield* Saved.user({ username: "before" })
        const { release } = yield* paused(save({ ...user, username: "after" }), end)
        const reader = yield* Effect.fork(find(user))
        yield* letRun(reader)
        // A storage may let the reader wait for the writer, but must not return uncommitted data.
        const early = Option.map(yield* Fiber.poll(reader), Exit.map(({ username }) => username))
        yield* release
        const { username } = yield* Fiber.join(reader)
        expect([Option.getOrElse(early, () => Exit.succeed("before")), ["before", after].includes(username)])
          .toEqual([Exit.succeed("before"), true])
        expect((yield* find(user)).username).toBe(after)
      }
    )

    if (has(EventLog)) {
      it("a reader of the event log never sees uncommitted events", function*() {
        const events = yield* EventLog
        const { release } = yield* paused(events.append(Samples.event()), Effect.fail("no"))
        const reader = yield* Effect.fork(events.read(0, 10))
        yield* letRun(reader)
        yield* release
        expect(yield* Fiber.join(reader)).toEqual([])
      })
    }

    it("a unit of work that fails does not lose the update of one that waits for it", function*() {
      const user = yield* Saved.user()
      const failing = Effect.ignore(atomically(Effect.zipRight(count(user), Effect.fail("no"))))
      const succeeding = atomically(count(user))
      yield* Effect.all([failing, succeeding, failing, succeeding], { concurrency: "unbounded", discard: true })
      expect((yield* find(user)).flags).toBe(2n)
    })

    it.each(ends)("a single write beside a unit of work that %s is committed", function*([, end]) {
      const beside = Samples.user({ username: "beside" })
      const { release } = yield* paused(save(Samples.user()), end)
      const writer = yield* Effect.fork(save(beside))
      yield* letRun(writer)
      yield* release
      yield* Fiber.join(writer)
      expect((yield* find(beside)).username).toBe("beside")
    })

    if (has(EventLog)) {
      it("events are in the order of the commits", function*() {
        const events = yield* EventLog
        const read = Effect.map(
          EventStream.read(0, 100),
          (found) =>
            found.flatMap(({ event, sequence }) => event._tag === "user.updated" ? [`${sequence} ${event.userId}`] : [])
        )
        const seen: Array<ReadonlyArray<string>> = []
        const unit = (user: User) =>
          atomically(Effect.gen(function*() {
            yield* events.append(Samples.event(user.id))
            yield* Effect.yieldNow()
            yield* events.append(Samples.event(user.id))
          })).pipe(
            Effect.zipRight(read),
            Effect.map((found) => {
              seen.push(found)
            })
          )
        yield* Effect.all(Arrays.makeBy(10, () => unit(Samples.user())), { concurrency: "unbounded" })
        const all = yield* read
        // A later commit has a later number: a reader that has read up to a number misses nothing before it.
        expect([all.length, ...seen]).toEqual([20, ...seen.map(({ length }) => all.slice(0, length))])
      })
    }

    describe("interruption", () => {
      it("a unit of work that waits for its turn can be interrupted, and does not run", function*() {
        const user = yield* Saved.user({ username: "before" })
        const { release } = yield* paused(save(Samples.user()), Effect.void)
        const waiting = yield* Effect.fork(atomically(save({ ...user, username: "after" })))
        // Not for longer: where units run side by side, it does not wait.
        yield* Effect.repeatN(Effect.yieldNow(), 50)
        yield* Fiber.interrupt(waiting)
        yield* release
        expect((yield* find(user)).username).toBe("before")
      })

      if (has(EventLog)) {
        it("interruptions at any time lose no update and block no unit", function*() {
          const events = yield* EventLog
          const user = yield* Saved.user()
          const counted = events.append(Samples.event(user.id))
          let succeeded = 0
          yield* Effect.forEach(Arrays.range(0, 60), (moment) =>
            Effect.gen(function*() {
              const unit = Effect.fork(atomically(Effect.zipRight(counted, count(user))))
              const [working, waiting, last] = yield* Effect.all([unit, unit, unit])
              yield* Effect.repeatN(Effect.yieldNow(), moment)
              yield* Fiber.interrupt(moment % 2 === 0 ? working : waiting)
              const exits = yield* Effect.forEach([working, waiting, last], Fiber.await)
              succeeded += exits.filter(Exit.isSuccess).length
            }), { discard: true })
          const committed = (yield* events.read(0, 1000)).length
          expect((yield* find(user)).flags).toBe(BigInt(committed))
          expect(committed).toBeGreaterThanOrEqual(succeeded)
        })
      }
    })
  }
)
