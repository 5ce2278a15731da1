import * as Samples from "@community-messaging/domain-contract/Samples"
import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { Database } from "@community-messaging/storage-sql/Database"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { SqliteClient } from "@effect/sql-sqlite-node"
import { describe, expect, it } from "@effect/vitest"
import {
  Array as Arrays,
  Cause,
  Context,
  Deferred,
  type Duration,
  Effect,
  Either,
  Exit,
  Fiber,
  Layer,
  Option,
  Queue,
  TestClock
} from "effect"
import { recordedStorage, Recording } from "./RecordedStorage.ts"
import { isKept, letOthersRun, turnsOfEventLoop } from "./SideBySide.ts"
import { temporaryFilename, temporaryStorageWithDatabase } from "./TemporaryDatabase.ts"

/** What the use of the storage in a test comes down to. */
const setup = Effect.gen(function*() {
  const { atomically } = yield* UnitOfWork
  const { save } = yield* UserRepository
  return { atomically, save }
})

const atOnce = <const Units extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(units: Units) =>
  Effect.all(units, { concurrency: "unbounded" })

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

  it.scoped("have one savepoint open at a time, whatever the ones before did", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const unit = <E>(end: Effect.Effect<void, E>) =>
        Effect.exit(atomically(Effect.zipRight(save(Samples.user()), end)))
      const before = (yield* textsOf).length
      yield* atOnce([unit(Effect.void), unit(Effect.void), unit(Effect.fail("refused")), unit(Effect.die("a defect"))])
      expect((yield* textsOf).slice(before).filter((text) => text.includes("SAVEPOINT"))).toEqual([
        "SAVEPOINT unit",
        "RELEASE SAVEPOINT unit",
        "SAVEPOINT unit",
        "ROLLBACK TO SAVEPOINT unit",
        "RELEASE SAVEPOINT unit",
        "SAVEPOINT unit",
        "ROLLBACK TO SAVEPOINT unit",
        "RELEASE SAVEPOINT unit"
      ])
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
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

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
      }).pipe(Effect.provide(temporaryStorageWithDatabase))
  )

  it.effect("passes on its failure as it is", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [, failure] = yield* atOnce([
        Effect.either(atomically(save(Samples.user()))),
        Effect.either(atomically(Effect.fail("no")))
      ])
      expect(failure).toEqual(Either.left("no"))
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))
})

/** Makes the commit of the transaction fail that it runs in. */
const spoilCommit = Effect.gen(function*() {
  const { sql } = yield* Database
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
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

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
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.effect("makes a failure untold that may have come of what was not kept", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const [, failure] = yield* atOnce([
        Effect.exit(atomically(spoilCommit)),
        Effect.flip(atomically(Effect.fail("the address is taken")))
      ])
      expect(failure).toMatchObject({ message: "Storage failed: commit a transaction" })
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.scoped("wakes nobody who waits for events", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const events = yield* EventLog
      const appended = yield* events.subscribe
      yield* atOnce([
        Effect.exit(atomically(events.append(Samples.event()))),
        Effect.exit(atomically(spoilCommit))
      ])
      expect(yield* Queue.poll(appended)).toEqual(Option.none())
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.effect("a disk that was full for one of them is a failure of storage to all before it", () =>
    Effect.gen(function*() {
      const { sql, write } = yield* Database
      const { atomically, save } = yield* setup
      const user = Samples.user()
      yield* write(sql`CREATE TABLE ballast (bytes BLOB)`)
      yield* write(sql`PRAGMA max_page_count = 1`)
      const fill = Effect.either(sql`INSERT INTO ballast VALUES (zeroblob(1000000))`)
      const failures = yield* atOnce([failureOf(atomically(save(user))), failureOf(atomically(fill))])
      expect([...failures, yield* isKept(user)]).toEqual([
        "Storage failed: go on with a transaction",
        "Storage failed: go on with a transaction",
        false
      ])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))
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
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

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
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))
})

describe("a unit of work that waits for something", () => {
  /** A storage that lets a unit of work wait for that long. */
  const patient = (idleTimeout: Duration.DurationInput) =>
    Layer.unwrapScoped(
      Effect.map(temporaryFilename, (filename) => StorageSqlite.layer({ filename, idleTimeout }))
    )

  /** A unit of work that has written and waits, behind one that has nothing to wait for. */
  const waitingBehind = <A, E, R, B, E2, R2>(first: Effect.Effect<A, E, R>, body: Effect.Effect<B, E2, R2>) =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const before = yield* Effect.fork(atomically(first))
      const waiting = yield* Effect.fork(atomically(body))
      return { before, waiting }
    })

  it.effect("fails as unavailable when it has waited for too long", () =>
    Effect.gen(function*() {
      const { atomically } = yield* setup
      const failure = yield* Effect.flip(atomically(Effect.never))
      expect([failure.message, String(failure.cause)]).toEqual([
        "Storage failed: wait for a unit of work",
        "Error: It sent no statement for 20ms."
      ])
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("is undone when it has waited for too long, and those before it are kept", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const [first, second] = [Samples.user(), Samples.user()]
      const { before, waiting } = yield* waitingBehind(save(first), Effect.zipRight(save(second), Effect.never))
      yield* Effect.flip(Fiber.join(waiting))
      yield* Fiber.join(before)
      expect([yield* isKept(first), yield* isKept(second)]).toEqual([true, false])
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("is undone when it has waited for too long inside another one", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const [first, second] = [Samples.user(), Samples.user()]
      const inner = atomically(Effect.zipRight(save(second), Effect.never))
      yield* Effect.flip(atomically(Effect.zipRight(save(first), inner)))
      expect([yield* isKept(first), yield* isKept(second)]).toEqual([false, false])
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("writes nothing any more when it has waited for too long and can not be interrupted", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const late = Samples.user()
      const goOn = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<void>()
      const body = Deferred.await(goOn).pipe(
        Effect.zipRight(Effect.exit(save(late))),
        Effect.zipRight(Deferred.succeed(ended, undefined)),
        Effect.uninterruptible
      )
      yield* Effect.flip(atomically(body))
      yield* Deferred.succeed(goOn, undefined)
      yield* Deferred.await(ended)
      expect(yield* isKept(late)).toBe(false)
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("lets the next ones go on when it has waited for too long", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const next = Samples.user()
      const { waiting } = yield* waitingBehind(save(Samples.user()), Effect.never)
      yield* atomically(save(next))
      yield* Fiber.interrupt(waiting)
      expect(yield* isKept(next)).toBe(true)
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("goes on for longer where it asks the storage something meanwhile", () =>
    Effect.gen(function*() {
      const { atomically, save } = yield* setup
      const user = Samples.user()
      const asking = Effect.zipRight(turnsOfEventLoop, isKept(user))
      const began = performance.now()
      yield* atomically(Effect.zipRight(
        save(user),
        Effect.repeat(asking, { until: () => performance.now() - began > 600 })
      ))
      expect(yield* isKept(user)).toBe(true)
    }).pipe(Effect.provide(patient("500 millis"))))

  it.effect("keeps those before it waiting for their answer", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const goOn = yield* Deferred.make<void>()
      const { before, waiting } = yield* waitingBehind(save(Samples.user()), Deferred.await(goOn))
      yield* turnsOfEventLoop
      const early = Option.isSome(yield* Fiber.poll(before))
      yield* Deferred.succeed(goOn, undefined)
      yield* Fiber.joinAll([before, waiting])
      expect(early).toBe(false)
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.effect("is undone when it is interrupted, and those before it are not", () =>
    Effect.gen(function*() {
      const { save } = yield* setup
      const [first, second] = [Samples.user(), Samples.user()]
      const { before, waiting } = yield* waitingBehind(save(first), Effect.zipRight(save(second), Effect.never))
      yield* turnsOfEventLoop
      yield* Fiber.interrupt(waiting)
      yield* Fiber.join(before)
      expect([yield* isKept(first), yield* isKept(second)]).toEqual([true, false])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))
})
