import { atomically } from "@community-messaging/domain-contract/Atomically"
import * as Samples from "@community-messaging/domain-contract/Samples"
import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Database } from "@community-messaging/storage-sql/Database"
import { type Connection, type ConnectionOptions, Connector } from "@community-messaging/storage-sqlite/Connection"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import { describe, expect, it } from "@effect/vitest"
import {
  Array as Arrays,
  Cause,
  Context,
  Deferred,
  type Duration,
  Effect,
  Exit,
  Fiber,
  FiberId,
  Layer,
  Option,
  Queue,
  TestClock
} from "effect"
import { recordedStorage, Recording } from "./RecordedStorage.ts"
import { isKept, letOthersRun, turnsOfEventLoop } from "./SideBySide.ts"
import { emptyStorageFilename, temporaryFilename, temporaryStorageWithDatabase } from "./TemporaryDatabase.ts"

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))

const atOnce = <const Units extends ReadonlyArray<Effect.Effect<unknown, unknown, unknown>>>(units: Units) =>
  Effect.all(units, { concurrency: "unbounded" })

const textsOf = Effect.map(Recording, ({ asked }) => asked.map(({ text }) => text))

const commits = Effect.map(textsOf, (texts) => texts.filter((text) => text === "COMMIT").length)

/** Runs statements on another connection to the same file, as another process would. */
const otherProcess = Effect.gen(function*() {
  const { filename } = yield* Recording
  const client = Context.get(yield* Layer.build(SqliteClient.layer({ filename })), SqliteClient.SqliteClient)
  const connection = yield* client.reserve
  return (text: string, ...parameters: ReadonlyArray<string>) => connection.execute(text, parameters, undefined)
})

describe("units of work that begin at the same time", () => {
  it.scoped("are committed together, single writes included, at most 64 of them, within 10 milliseconds", () =>
    Effect.gen(function*() {
      const commitsOf = <E, R>(units: ReadonlyArray<Effect.Effect<unknown, E, R>>) =>
        Effect.gen(function*() {
          const before = yield* commits
          yield* atOnce(units)
          return (yield* commits) - before
        })
      const mixed = Arrays.makeBy(
        20,
        (index) => index % 2 === 0 ? atomically(save(Samples.user())) : save(Samples.user())
      )
      expect(yield* commitsOf(mixed)).toBe(1)
      expect(yield* commitsOf(Arrays.makeBy(65, () => atomically(Effect.void)))).toBeGreaterThan(1)
      expect(yield* commitsOf([atomically(TestClock.adjust("10 millis")), atomically(Effect.void)])).toBe(2)
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("complete when others can see their writes", () =>
    Effect.gen(function*() {
      const other = yield* otherProcess
      const unit = (user: User) =>
        Effect.zipRight(atomically(save(user)), other("SELECT 1 FROM users WHERE id = ?", user.id))
      const seen = yield* atOnce(Arrays.makeBy(20, () => unit(Samples.user())))
      expect(seen.filter((rows) => rows.length === 0)).toEqual([])
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("notify the subscribers of events, also if the last of them has none", () =>
    Effect.gen(function*() {
      const events = yield* EventLog
      const appended = yield* events.subscribe
      yield* atOnce([events.append(Samples.event()), save(Samples.user())])
      expect(Option.isSome(yield* Queue.poll(appended))).toBe(true)
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.scoped("run in the order in which they began", () =>
    Effect.gen(function*() {
      const ran: Array<number> = []
      yield* atOnce(Arrays.makeBy(10, (index) =>
        atomically(Effect.sync(() => {
          ran.push(index)
        }))))
      expect(ran).toEqual(Arrays.range(0, 9))
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("need no savepoint if there is only one", () =>
    Effect.gen(function*() {
      const { asked } = yield* Recording
      const before = asked.length
      yield* atomically(save(Samples.user()))
      expect(asked.slice(before).map(({ text }) => text.split(" ")[0])).toEqual(["BEGIN", "INSERT", "COMMIT"])
    }).pipe(Effect.provide(recordedStorage)))

  it.scoped("have one open savepoint at a time, after any outcome of earlier ones", () =>
    Effect.gen(function*() {
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
  const endings: ReadonlyArray<readonly [string, Effect.Effect<never, string>, cause: object]> = [
    ["fails", Effect.fail("no"), { _tag: "Fail", error: "no" }],
    ["dies", Effect.die("broken"), { _tag: "Die", defect: "broken" }],
    ["is interrupted", Effect.interrupt, { _tag: "Interrupt" }]
  ]

  it.effect.each(endings)(
    "rolls back only its own writes, also if it is the first, and its failure is unchanged: it %s",
    ([, end, cause]) =>
      Effect.gen(function*() {
        const [undone, kept, alsoUndone, last] = [Samples.user(), Samples.user(), Samples.user(), Samples.user()]
        const exits = yield* atOnce([
          Effect.exit(atomically(Effect.zipRight(save(undone), end))),
          atomically(save(kept)),
          Effect.exit(atomically(Effect.zipRight(save(alsoUndone), end))),
          atomically(save(last))
        ])
        expect(yield* Effect.forEach([undone, kept, alsoUndone, last], isKept)).toEqual([false, true, false, true])
        expect([exits[0], exits[2]]).toMatchObject([{ cause }, { cause }])
      }).pipe(Effect.provide(temporaryStorageWithDatabase))
  )
})

/** Makes the commit of the running transaction fail. */
const spoilCommit = Effect.gen(function*() {
  const { sql } = yield* Database
  const memberships = yield* MembershipRepository
  yield* sql`PRAGMA defer_foreign_keys = ON`
  yield* memberships.save(Samples.membership())
})

const failureOf = <A, E extends { readonly message: string }, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("a commit that fails", () => {
  it.effect("is a storage failure of all of its units, also of one that failed before, and stores nothing of them", () =>
    Effect.gen(function*() {
      const [first, last, next] = [Samples.user(), Samples.user(), Samples.user()]
      const failures = yield* atOnce([
        failureOf(atomically(save(first))),
        failureOf(atomically(spoilCommit)),
        // Its failure may depend on writes that are not stored.
        failureOf(atomically(Effect.fail({ message: "the address is taken" }))),
        failureOf(atomically(save(last)))
      ])
      expect(Arrays.dedupe(failures)).toEqual(["Storage failed: commit a transaction"])
      yield* atomically(save(next))
      expect(yield* Effect.forEach([first, last, next], isKept)).toEqual([false, false, true])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.scoped("notifies no subscriber of events", () =>
    Effect.gen(function*() {
      const events = yield* EventLog
      const appended = yield* events.subscribe
      yield* atOnce([
        Effect.exit(atomically(events.append(Samples.event()))),
        Effect.exit(atomically(spoilCommit))
      ])
      expect(yield* Queue.poll(appended)).toEqual(Option.none())
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.effect("is a storage failure of all units if the disk was full for one, even if it ignored that and wrote more", () =>
    Effect.gen(function*() {
      const { sql, write } = yield* Database
      const users = [Samples.user(), Samples.user(), Samples.user()] as const
      yield* write(sql`CREATE TABLE ballast (bytes BLOB)`)
      yield* write(sql`PRAGMA max_page_count = 1`)
      const fill = Effect.all([
        save(users[1]),
        Effect.either(sql`INSERT INTO ballast VALUES (zeroblob(1000000))`),
        Effect.ignore(save(users[2]))
      ])
      const failures = yield* atOnce([failureOf(atomically(save(users[0]))), failureOf(atomically(fill))])
      expect(failures).toEqual(Arrays.replicate("Storage failed: continue a transaction", 2))
      expect(yield* Effect.filter(users, isKept)).toEqual([])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))
})

describe("interruption among units of work", () => {
  it.effect("a unit that was interrupted while it waited does not run, and the others do", () =>
    Effect.gen(function*() {
      const users = [Samples.user(), Samples.user(), Samples.user()] as const
      const fibers = yield* Effect.forEach(users, (user) => Effect.fork(atomically(save(user))))
      yield* letOthersRun
      yield* Effect.forEach(fibers.slice(1, 2), Fiber.interrupt)
      yield* Fiber.awaitAll(fibers)
      expect(yield* Effect.forEach(users, isKept)).toEqual([true, false, true])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))

  it.scoped("a unit that is interrupted just when its transaction has begun leaves none behind", () =>
    Effect.gen(function*() {
      const { open } = yield* Connector
      let onBegin = () => {}
      const connector = {
        open: (options: ConnectionOptions) =>
          Effect.map(open(options), (connection): Connection => ({
            ...connection,
            run: (text, parameters) => {
              const outcome = connection.run(text, parameters)
              if (text === "BEGIN IMMEDIATE") onBegin()
              return outcome
            }
          }))
      }
      const storage = Layer.build(StorageSqlite.layer({ filename: yield* emptyStorageFilename }))
      const users = Context.get(yield* Effect.provideService(storage, Connector, connector), UserRepository)
      const interrupted = yield* Effect.fork(users.save(Samples.user()))
      onBegin = () => {
        onBegin = () => {}
        interrupted.unsafeInterruptAsFork(FiberId.none)
      }
      yield* Fiber.await(interrupted)
      expect(Exit.isSuccess(yield* Effect.exit(users.save(Samples.user())))).toBe(true)
    }))

  it.effect("a unit that waits for the commit is committed, even if it is interrupted", () =>
    Effect.gen(function*() {
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
  /** A storage that lets a unit of work wait for this time. */
  const patient = (idleTimeout: Duration.DurationInput) =>
    Layer.unwrapScoped(
      Effect.map(temporaryFilename, (filename) => StorageSqlite.layer({ filename, idleTimeout }))
    )

  /** A unit of work that has written and waits, after one that does not wait. */
  const waitingBehind = <A, E, R, B, E2, R2>(first: Effect.Effect<A, E, R>, body: Effect.Effect<B, E2, R2>) =>
    Effect.all({ before: Effect.fork(atomically(first)), waiting: Effect.fork(atomically(body)) })

  it.effect("fails and is rolled back when it has waited for too long, and earlier and later ones are committed", () =>
    Effect.gen(function*() {
      const [first, second, next] = [Samples.user(), Samples.user(), Samples.user()]
      const { before, waiting } = yield* waitingBehind(save(first), Effect.zipRight(save(second), Effect.never))
      yield* atomically(save(next))
      expect(yield* Effect.flip(Fiber.join(waiting))).toMatchObject({
        message: "Storage failed: wait for a unit of work",
        cause: new Error("It sent no statement for 20ms.")
      })
      yield* Fiber.join(before)
      expect(yield* Effect.forEach([first, second, next], isKept)).toEqual([true, false, true])
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("is rolled back alone when it has waited for too long inside another one", () =>
    Effect.gen(function*() {
      const [earlier, first, second] = [Samples.user(), Samples.user(), Samples.user()]
      const inner = atomically(Effect.zipRight(save(second), Effect.never))
      const { before, waiting } = yield* waitingBehind(save(earlier), Effect.zipRight(save(first), inner))
      yield* Effect.flip(Fiber.join(waiting))
      yield* Fiber.join(before)
      expect(yield* Effect.forEach([earlier, first, second], isKept)).toEqual([true, false, false])
    }).pipe(Effect.provide(patient("20 millis"))))

  it.effect("writes nothing more when it has waited for too long and cannot be interrupted", () =>
    Effect.gen(function*() {
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

  it.effect("may take longer if it sends statements in the meantime", () =>
    Effect.gen(function*() {
      const user = Samples.user()
      const asking = Effect.zipRight(turnsOfEventLoop, isKept(user))
      const began = performance.now()
      yield* atomically(Effect.zipRight(
        save(user),
        Effect.repeat(asking, { until: () => performance.now() - began > 600 })
      ))
      expect(yield* isKept(user)).toBe(true)
    }).pipe(Effect.provide(patient("500 millis"))))

  it.effect("delays earlier ones, is rolled back when it is interrupted, and they are then committed", () =>
    Effect.gen(function*() {
      const [first, second] = [Samples.user(), Samples.user()]
      const { before, waiting } = yield* waitingBehind(save(first), Effect.zipRight(save(second), Effect.never))
      yield* turnsOfEventLoop
      expect(Option.isNone(yield* Fiber.poll(before))).toBe(true)
      yield* Fiber.interrupt(waiting)
      yield* Fiber.join(before)
      expect([yield* isKept(first), yield* isKept(second)]).toEqual([true, false])
    }).pipe(Effect.provide(temporaryStorageWithDatabase)))
})
