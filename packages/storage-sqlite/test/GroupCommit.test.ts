import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { UnitOfWork } from "@community-messaging/domain/UnitOfWork"
import * as Samples from "@community-messaging/storage-laws/Samples"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { describe, expect, it } from "@effect/vitest"
import {
  Array as Arrays,
  Cause,
  Context,
  Deferred,
  Effect,
  Either,
  Exit,
  Fiber,
  Layer,
  Option,
  TestClock
} from "effect"
import { recordedStorage, Recording } from "./RecordedStorage.ts"
import { isKept, letOthersRun } from "./SideBySide.ts"
import { temporaryStorageWithClient } from "./TemporaryDatabase.ts"

/** What the use of the storage in a test comes down to. */
const setup = Effect.gen(function*() {
  const { afterCommit, atomically } = yield* UnitOfWork
  const { save } = yield* UserRepository
  return { afterCommit, atomically, save }
})

const atOnce = <const Units extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(units: Units) =>
  Effect.all(units, { concurrency: "unbounded" })

/** Waits until the event loop had some turns: groups begin and end in one. */
const turnsOfEventLoop = Effect.repeatN(
  Effect.async<void>((resume) => {
    setImmediate(() => resume(Effect.void))
  }),
  5
)

const textsOf = Effect.map(Recording, ({ asked }) => asked.map(({ text }) => text))

const commits = Effect.map(textsOf, (texts) => texts.filter((text) => text === "COMMIT").length)

/** Runs statements on a connection to the same file that another process might have. */
const otherProcess = Effect.gen(function*() {
  const { filename } = yield* Recording
  const client = Context.get(yield* Layer.build(SqliteClient.layer({ filename })), SqliteClient.SqliteClient)
  const connection = yield* client.reserve
  return (text: string, ...parameters: ReadonlyArray<string>) => connection.execute(text, parameters, undefined)
})

describe("units of work that come at the same time", () => {
  it.scoped("are committed together", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const before = yield* commits
      yield* atOnce(Arrays.makeBy(20, () => atomically(save(Samples.user()))))
      expect((yield* commits) - before).toBe(1)
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("are single writes too", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const before = yield* commits
      yield* atOnce(Arrays.makeBy(20, () => save(Samples.user())))
      expect((yield* commits) - before).toBe(1)
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("are answered once others can see what they kept", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const other = yield* otherProcess
      const unit = (user: User) =>
        Effect.zipRight(atomically(save(user)), other("SELECT 1 FROM users WHERE id = ?", user.id))
      const seen = yield* atOnce(Arrays.makeBy(20, () => unit(Samples.user())))
      expect(seen.filter((rows) => rows.length === 0)).toEqual([])
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("run in the order in which they came", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const ran: Array<number> = []
      yield* atOnce(Arrays.makeBy(10, (index) =>
        atomically(Effect.sync(() => {
          ran.push(index)
        }))))
      expect(ran).toEqual(Arrays.range(0, 9))
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("are not more than 64 in a transaction", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const before = yield* commits
      yield* atOnce(Arrays.makeBy(65, () => atomically(Effect.void)))
      expect((yield* commits) - before).toBeGreaterThan(1)
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("are in another transaction when 10 milliseconds have gone by", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const before = yield* commits
      yield* atOnce([atomically(TestClock.adjust("10 millis")), atomically(Effect.void)])
      expect((yield* commits) - before).toBe(2)
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("need no savepoint where there is one alone", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const { asked } = yield* Recording
      const before = asked.length
      yield* atomically(save(Samples.user()))
      expect(asked.slice(before).map(({ text }) => text.split(" ")[0])).toEqual(["BEGIN", "INSERT", "COMMIT"])
    }).pipe(Effect.provide(recordedStorage)))
})

describe("a unit of work among others that fails", () => {
  const endings: ReadonlyArray<readonly [string, Effect.Effect<never, string>]> = [
    ["fails", Effect.fail("no")],
    ["dies", Effect.die("broken")],
    ["is interrupted", Effect.interrupt]
  ]

  it.effect.each(endings)("undoes its own writes alone: it %s", ([, end]) =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [first, undone, last] = [Samples.user(), Samples.user(), Samples.user()]
      yield* atOnce([
        atomically(save(first)),
        Effect.exit(atomically(Effect.zipRight(save(undone), end))),
        atomically(save(last))
      ])
      expect([yield* isKept(first), yield* isKept(undone), yield* isKept(last)]).toEqual([true, false, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect.each(endings)(
    "undoes its own writes alone where it is the first: it %s",
    ([, end]) =>
      Effect.gen(function*() {
        const { atomically, save } = yield* setup
        const [undone, last] = [Samples.user(), Samples.user()]
        yield* atOnce([
          Effect.exit(atomically(Effect.zipRight(save(undone), end))),
          atomically(save(last))
        ])
        expect([yield* isKept(undone), yield* isKept(last)]).toEqual([false, true])
      }).pipe(Effect.provide(temporaryStorageWithClient))
  )

  it.effect("passes on its failure as it is", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [, failure] = yield* atOnce([
        Effect.either(atomically(save(Samples.user()))),
        Effect.either(atomically(Effect.fail("no")))
      ])
      expect(failure).toEqual(Either.left("no"))
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

/** Makes the commit of the transaction fail that it runs in. */
const spoilCommit = Effect.gen(function*() {
  const sql = yield* SqliteClient.SqliteClient
  const memberships = yield* MembershipRepository
  yield* sql`PRAGMA defer_foreign_keys = ON`
  yield* memberships.save(Samples.membership())
})

const failureOf = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a commit that fails", () => {
  it.effect("is a failure of storage to all that it was for", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const failures = yield* atOnce([
        failureOf(atomically(save(Samples.user()))),
        failureOf(atomically(spoilCommit)),
        failureOf(atomically(save(Samples.user())))
      ])
      expect(Arrays.dedupe(failures)).toEqual(["Storage failed: commit a transaction"])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("leaves nothing of any of them", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [first, last, next] = [Samples.user(), Samples.user(), Samples.user()]
      yield* Effect.exit(atOnce([
        Effect.exit(atomically(save(first))),
        Effect.exit(atomically(spoilCommit)),
        Effect.exit(atomically(save(last)))
      ]))
      yield* atomically(save(next))
      expect([yield* isKept(first), yield* isKept(last), yield* isKept(next)]).toEqual([false, false, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("makes a failure untold that may have come of what was not kept", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const [, failure] = yield* atOnce([
        Effect.exit(atomically(spoilCommit)),
        Effect.flip(atomically(Effect.fail("the address is taken")))
      ])
      expect(failure).toMatchObject({ message: "Storage failed: commit a transaction" })
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("is followed by nothing", () =>
    Effect.gen(function*() {
      const { afterCommit, atomically } = yield* setup
      let followed = 0
      const follow = afterCommit(Effect.sync(() => {
        followed += 1
      }))
      yield* atOnce([Effect.exit(atomically(follow)), Effect.exit(atomically(spoilCommit))])
      expect(followed).toBe(0)
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("a disk that was full for one of them is a failure of storage to all before it", () =>
    Effect.gen(function*() {
      const sql = yield* SqliteClient.SqliteClient
      const { atomically, save } = yield* setup
      const user = Samples.user()
      yield* sql`CREATE TABLE ballast (bytes BLOB)`
      yield* sql`PRAGMA max_page_count = 1`
      const fill = Effect.either(sql`INSERT INTO ballast VALUES (zeroblob(1000000))`)
      const failures = yield* atOnce([failureOf(atomically(save(user))), failureOf(atomically(fill))])
      expect([...failures, yield* isKept(user)]).toEqual([
        "Storage failed: go on with a transaction",
        "Storage failed: go on with a transaction",
        false
      ])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("interruption among units of work", () => {
  it.effect("one that was interrupted while it waited is not run, and the others are", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const users = [Samples.user(), Samples.user(), Samples.user()] as const
      const fibers = yield* Effect.forEach(users, (user) => Effect.fork(atomically(save(user))))
      yield* letOthersRun
      yield* Effect.forEach(fibers.slice(1, 2), Fiber.interrupt)
      yield* Fiber.awaitAll(fibers)
      expect(yield* Effect.forEach(users, isKept)).toEqual([true, false, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("one that is done and waits for the commit is kept, whoever interrupts it", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [done, next] = [Samples.user(), Samples.user()]
      const first = yield* Effect.fork(atomically(save(done)))
      yield* letOthersRun
      yield* atomically(Effect.zipRight(Effect.forkDaemon(Fiber.interrupt(first)), save(next)))
      const exit = yield* Fiber.await(first)
      expect([Exit.isSuccess(exit) || Cause.isInterrupted(exit.cause), yield* isKept(done), yield* isKept(next)])
        .toEqual([true, true, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("what follows the commit of several units of work", () => {
  it.scoped("runs when all of them are committed, in their order", () =>
    Effect.gen(function*() {
      const { afterCommit, atomically, save } = yield* setup
      const other = yield* otherProcess
      const users = Arrays.makeBy(3, () => Samples.user())
      const seen: Array<readonly [string, number]> = []
      yield* atOnce(users.map((user) =>
        atomically(Effect.zipRight(
          save(user),
          afterCommit(Effect.orDie(Effect.map(other("SELECT 1 FROM users"), (rows) => {
            seen.push([user.id, rows.length])
          })))
        ))
      ))
      expect(seen).toEqual(users.map(({ id }) => [id, 3]))
    }).pipe(Effect.provide(recordedStorage)))

  it.effect("does not keep those waiting who have nothing to follow them", () =>
    Effect.gen(function*() {
      const { afterCommit, atomically, save } = yield* setup
      const goOn = yield* Deferred.make<void>()
      const slow = yield* Effect.fork(atomically(afterCommit(Deferred.await(goOn))))
      const quick = yield* Effect.fork(atomically(save(Samples.user())))
      yield* turnsOfEventLoop
      const [quickly, slowly] = [yield* Fiber.poll(quick), yield* Fiber.poll(slow)]
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(slow)
      expect([Option.map(quickly, Exit.isSuccess), slowly]).toEqual([Option.some(true), Option.none()])
    }).pipe(Effect.provide(temporaryStorageWithClient)))
})

describe("a unit of work that waits for something", () => {
  /** A unit of work that has written and waits, behind one that has nothing to wait for. */
  const waitingBehind = <A, E, R, B, E2, R2>(first: Effect.Effect<A, E, R>, body: Effect.Effect<B, E2, R2>) =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const goOn = yield* Deferred.make<void>()
      const before = yield* Effect.fork(atomically(first))
      const waiting = yield* Effect.fork(
        atomically(Effect.zipLeft(body, Deferred.await(goOn)))
      )
      return { before, waiting, goOn: Deferred.succeed(goOn, undefined) }
    })

  const behindFollower = (body: (follower: User) => Effect.Effect<unknown, unknown, UserRepository>) =>
    Effect.gen(function*() {
      const { afterCommit, save } = yield* setup
      const [follower, own] = [Samples.user(), Samples.user()]
      const { before, goOn, waiting } = yield* waitingBehind(
        afterCommit(Effect.orDie(save(follower))),
        Effect.zipRight(body(follower), save(own))
      )
      yield* Fiber.join(before)
      yield* goOn
      const failure = yield* Effect.either(Fiber.join(waiting))
      return { failure, kept: [yield* isKept(follower), yield* isKept(own)] }
    })

  it.effect("fails where what follows the commit of those before it has changed what it read", () =>
    Effect.gen(function*() {
      const { failure, kept } = yield* behindFollower(isKept)
      expect(failure).toMatchObject({ left: { message: "Storage failed: go on with a transaction" } })
      expect(kept).toEqual([true, false])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("is kept where what follows the commit of those before it has changed something else", () =>
    Effect.gen(function*() {
      const { kept } = yield* behindFollower(() => isKept(Samples.user()))
      expect(kept).toEqual([true, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("fails where it has used what was made at random", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const sql = yield* SqliteClient.SqliteClient
      const { goOn, waiting } = yield* waitingBehind(save(Samples.user()), sql`SELECT random()`)
      yield* turnsOfEventLoop
      yield* goOn
      expect(Either.isLeft(yield* Effect.either(Fiber.join(waiting)))).toBe(true)
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("does not make those before it wait", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const { before, waiting } = yield* waitingBehind(save(Samples.user()), Effect.never)
      expect(Exit.isSuccess(yield* Fiber.await(before))).toBe(true)
      yield* Fiber.interrupt(waiting)
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.scoped("has nothing of it committed with those before it", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const other = yield* otherProcess
      const [first, second] = [Samples.user(), Samples.user()]
      const { before, goOn, waiting } = yield* waitingBehind(save(first), save(second))
      yield* Fiber.join(before)
      const seen = yield* other("SELECT CAST(id AS TEXT) AS id FROM users")
      yield* goOn
      yield* Fiber.join(waiting)
      expect(seen).toEqual([{ id: first.id }])
    }).pipe(Effect.provide(recordedStorage)))

  it.effect("keeps all that it wrote, parts of it included", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const users = Arrays.makeBy(4, () => Samples.user())
      const body = Effect.gen(function*() {
        yield* Effect.forEach(users.slice(0, 2), save)
        yield* Effect.forEach(users.slice(2), (user) => atomically(save(user)))
        yield* Effect.flip(atomically(Effect.zipRight(save(Samples.user()), Effect.fail("no"))))
      })
      const { before, goOn, waiting } = yield* waitingBehind(save(Samples.user()), body)
      yield* Fiber.join(before)
      yield* goOn
      yield* Fiber.join(waiting)
      expect(yield* Effect.forEach(users, isKept)).toEqual([true, true, true, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("may be waiting inside a part of it", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [first, inside, after] = [Samples.user(), Samples.user(), Samples.user()]
      const goOn = yield* Deferred.make<void>()
      const before = yield* Effect.fork(atomically(save(first)))
      const waiting = yield* Effect.fork(atomically(Effect.zipRight(
        Effect.flip(
          atomically(save(inside).pipe(Effect.zipRight(Deferred.await(goOn)), Effect.zipRight(Effect.fail("no"))))
        ),
        save(after)
      )))
      yield* Fiber.join(before)
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.join(waiting)
      expect([yield* isKept(first), yield* isKept(inside), yield* isKept(after)]).toEqual([true, false, true])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("is undone when it fails in the end, and those before it are not", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const [first, second] = [Samples.user(), Samples.user()]
      const { before, waiting } = yield* waitingBehind(save(first), save(second))
      yield* Fiber.join(before)
      yield* Fiber.interrupt(waiting)
      expect([yield* isKept(first), yield* isKept(second)]).toEqual([true, false])
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.effect("still keeps the next ones waiting", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const { before, goOn, waiting } = yield* waitingBehind(save(Samples.user()), save(Samples.user()))
      const next = yield* Effect.fork(atomically(Effect.void))
      yield* Fiber.join(before)
      yield* turnsOfEventLoop
      const early = Option.isSome(yield* Fiber.poll(next))
      yield* goOn
      yield* Fiber.joinAll([waiting, next])
      expect(early).toBe(false)
    }).pipe(Effect.provide(temporaryStorageWithClient)))

  it.scoped("is a failure of storage where another process has written after it read", () =>
    Effect.gen(function*() {
      const { afterCommit, save } = yield* setup
      const other = yield* otherProcess
      const first = Samples.user()
      const overtake = Effect.zipRight(
        save(first),
        afterCommit(Effect.orDie(Effect.asVoid(other("UPDATE users SET username = 'other' WHERE id = ?", first.id))))
      )
      const { before, goOn, waiting } = yield* waitingBehind(overtake, isKept(first))
      yield* Fiber.join(before)
      yield* goOn
      expect((yield* Effect.flip(Fiber.join(waiting))).message).toBe("Storage failed: go on with a transaction")
    }).pipe(Effect.provide(recordedStorage)))
})
