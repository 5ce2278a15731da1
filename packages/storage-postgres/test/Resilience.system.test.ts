import { atomically, paused } from "@community-messaging/domain-contract/Atomically"
import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import type { User } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MessageRepository } from "@community-messaging/domain/message/MessageRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { StorageHealth } from "@community-messaging/domain/shared-kernel/StorageHealth"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { type Webhook, WebhookName } from "@community-messaging/domain/webhook/Webhook"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import * as LocalPostgres from "@community-messaging/local-postgres/LocalPostgres"
import * as PostgresDatabase from "@community-messaging/storage-postgres/PostgresDatabase"
import type { PostgresOptions } from "@community-messaging/storage-postgres/PostgresOptions"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import {
  Array as Arrays,
  Cause,
  Deferred,
  Effect,
  Exit,
  Fiber,
  Layer,
  Option,
  Queue,
  Redacted,
  Schedule,
  Scope
} from "effect"
import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { Client } from "pg"
import { proxy } from "../../../test/Proxy.ts"
import { withStorage } from "./SharedTransactions.ts"
import { migrated } from "./TemporaryDatabase.ts"

const serverOn = (url: string, options: Partial<PostgresOptions> = {}) =>
  Layer.build(StoragePostgres.layer({ url: Redacted.make(url), ...options }))

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))
const find = ({ id }: User) => Effect.flatMap(UserRepository, (users) => users.find(id))
const usernameOf = (user: User) => Effect.map(find(user), Option.map(({ username }) => username))

/** Ends all connections of servers to the database. */
const terminateAll = (url: string) =>
  LocalPostgres.execute(
    url,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND application_name = 'community-messaging'`
  )

/** Waits until a connection waits for an advisory lock. */
const UNTIL_LOCK_IS_AWAITED = `
  DO $$ BEGIN
    WHILE NOT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted) LOOP
      PERFORM pg_sleep(0.01);
    END LOOP;
  END $$`

/** The SQLSTATE of a server that only reads. */
const READ_ONLY_SERVER = "25006"

const REQUIRE_STANDBY = `
  DO $$ BEGIN
    IF NOT pg_is_in_recovery() THEN
      RAISE EXCEPTION 'not a standby';
    END IF;
  END $$`

const UNTIL_NO_LOCK_IS_AWAITED = UNTIL_LOCK_IS_AWAITED.replace("WHILE NOT EXISTS", "WHILE EXISTS")

/** The directory of the data of a server on this machine. */
const directoryOf = (url: string) =>
  Effect.promise(async () => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query<{ readonly data_directory: string }>("SHOW data_directory")
    await client.end()
    return rows.map(({ data_directory }) => data_directory).join()
  })

/** Retries the effect until it succeeds, at most for some seconds. */
const untilItSucceeds = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.retry(effect, Schedule.intersect(Schedule.spaced("50 millis"), Schedule.recurs(200)))

/** The operation of the storage error with which the effect fails. */
const storageErrorOf = <A, R>(effect: Effect.Effect<A, unknown, R>) =>
  Effect.map(Effect.flip(effect), (error) => error instanceof StorageError ? error.operation : String(error))

describe("a full disk", () => {
  it.scopedLive("is reported with the write that failed, although a later statement of the unit reports it", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        yield* Effect.acquireRelease(
          LocalPostgres.execute(
            url,
            `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$
              BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = '53100'; END $$;
            CREATE TRIGGER refuse BEFORE INSERT ON community_messaging.messages FOR EACH ROW EXECUTE FUNCTION refuse()`
          ),
          // Other tests use the database later.
          () => Effect.orDie(LocalPostgres.execute(url, "DROP FUNCTION refuse CASCADE"))
        )
        const { guildId, id } = yield* Saved.channel()
        const { insert } = yield* MessageRepository
        const message = Samples.message({ guildId, channelId: id })
        const causeOf = <A, E, R>(unit: Effect.Effect<A, E, R>) =>
          Effect.map(Effect.sandbox(Effect.flip(Effect.sandbox(atomically(unit)))), LoggedCause.describe)
        expect(yield* causeOf(Effect.zipRight(insert(message), find(Samples.user())))).toBe(
          "StorageError in find an account, caused by PostgresFailure of INSERT INTO messages (53100)"
        )
        expect(yield* causeOf(insert(message))).toBe(
          "StorageError in commit a transaction: one of its statements has failed, " +
            "caused by PostgresFailure of INSERT INTO messages (53100)"
        )
      })))
})

describe("lost connections", () => {
  it.scopedLive("a unit of work whose connection is cut fails and writes nothing, and the next one succeeds", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const [user, other] = [Samples.user(), Samples.user()]
        const saved = yield* Deferred.make<void>()
        const cut = yield* Deferred.make<void>()
        const unit = yield* Effect.fork(Effect.exit(atomically(
          save(user).pipe(
            Effect.zipRight(Deferred.succeed(saved, undefined)),
            Effect.zipRight(Deferred.await(cut)),
            Effect.zipRight(save(other))
          )
        )))
        yield* Deferred.await(saved)
        yield* terminateAll(url)
        yield* Deferred.succeed(cut, undefined)
        const exit = yield* Fiber.join(unit)
        expect(Exit.isFailure(exit) && Option.getOrUndefined(Cause.failureOption(exit.cause))).toBeInstanceOf(
          StorageError
        )
        expect([yield* untilItSucceeds(usernameOf(user)), yield* usernameOf(other)]).toEqual([
          Option.none(),
          Option.none()
        ])
        yield* save(other)
        expect(yield* usernameOf(other)).toEqual(Option.some(other.username))
      })))

  it.scopedLive("a commit whose connection is cut fails with an unknown outcome", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const user = Samples.user()
        const unit = atomically(Effect.zipRight(save(user), Effect.orDie(terminateAll(url))))
        expect(yield* storageErrorOf(unit)).toBe("commit a transaction: its outcome is unknown")
        expect(yield* untilItSucceeds(usernameOf(user))).toEqual(Option.none())
      })))

  it.scopedLive("connections that are cut while they are unused are replaced without a failure", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const user = Samples.user()
        yield* Effect.replicateEffect(save(user), 10, { concurrency: "unbounded" })
        yield* terminateAll(url)
        yield* untilItSucceeds(save({ ...user, username: "after" }))
        expect(yield* Effect.replicateEffect(usernameOf(user), 10, { concurrency: "unbounded" }))
          .toEqual(Arrays.replicate(Option.some("after"), 10))
      })))

  it.scopedLive("subscribers are notified of events of a restored database, although the numbers are lower", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const events = yield* EventLog
        const { id } = Samples.user()
        yield* Effect.replicateEffect(events.append(Samples.event(id)), 5)
        const told = yield* events.subscribe
        expect(yield* events.end).toBe(5)
        yield* LocalPostgres.execute(
          url,
          `DELETE FROM community_messaging.events;
          ALTER TABLE community_messaging.events ALTER COLUMN sequence RESTART`
        )
        yield* terminateAll(url)
        yield* untilItSucceeds(events.end)
        yield* Queue.takeAll(told)
        yield* events.append(Samples.event(id))
        yield* Queue.take(told)
        expect((yield* events.read(0, 10)).map(({ sequence }) => sequence)).toEqual([1])
      })))

  it.scopedLive("every acknowledged write is stored, and every event is in the log, also if connections are cut often", () =>
    withStorage({}, (url) =>
      Effect.gen(function*() {
        const events = yield* EventLog
        const acknowledged: Array<User> = []
        const write = Effect.suspend(() => {
          const user = Samples.user()
          return Effect.map(
            atomically(Effect.zipRight(save(user), events.append(Samples.event(user.id)))),
            () => acknowledged.push(user)
          )
        })
        const writers = yield* Effect.fork(
          Effect.forEach(Arrays.range(1, 8), () => Effect.forEach(Arrays.range(1, 30), () => Effect.exit(write)), {
            concurrency: "unbounded"
          })
        )
        const cutting = yield* Effect.fork(
          Effect.forever(Effect.zipRight(Effect.orDie(terminateAll(url)), Effect.yieldNow()))
        )
        yield* Fiber.join(writers)
        yield* Fiber.interrupt(cutting)
        const kept = yield* untilItSucceeds(Effect.forEach(acknowledged, find))
        expect(kept.every(Option.isSome)).toBe(true)
        const told = (yield* untilItSucceeds(events.read(0, 1000))).map(({ event }) => JSON.stringify(event))
        expect(acknowledged.filter(({ id }) => !told.some((event) => event.includes(id)))).toEqual([])
      })))

  it.scopedLive("a restart of the database causes StorageErrors while it lasts, and no write is lost", () =>
    Effect.gen(function*() {
      const postgres = yield* LocalPostgres.start({ fsync: "off" })
      const url = yield* postgres.database
      const user = Samples.user()
      yield* Effect.gen(function*() {
        const events = yield* EventLog
        yield* Effect.zipRight(save(user), events.append(Samples.event(user.id)))
        const failures: Array<unknown> = []
        const asking = yield* Effect.fork(
          Effect.forever(
            Effect.catchAll(
              Effect.zipRight(find(user), events.read(0, 1)),
              (error) => Effect.sync(() => failures.push(error))
            )
          )
        )
        yield* postgres.outage(Effect.void)
        yield* Fiber.interrupt(asking)
        expect(failures.every((error) => error instanceof StorageError)).toBe(true)
        expect(yield* untilItSucceeds(usernameOf(user))).toEqual(Option.some(user.username))
        yield* untilItSucceeds(events.append(Samples.event()))
        expect((yield* untilItSucceeds(events.read(0, 10))).length).toBe(2)
      }).pipe(Effect.provide(yield* serverOn(url)))
    }))
})

describe("a network that falls silent", () => {
  it.scopedLive(
    "delays the notifications of events for seconds, not until the timeout of statements",
    () =>
      Effect.gen(function*() {
        const database = yield* migrated
        const { fallSilent, url: { href: url } } = yield* proxy(database)
        const append = Effect.flatMap(EventLog, (events) => events.append(Samples.event()))
        const other = yield* serverOn(database)
        yield* Effect.gen(function*() {
          const events = yield* EventLog
          const told = yield* events.subscribe
          yield* Effect.provide(append, other)
          yield* Queue.take(told)
          yield* fallSilent
          yield* Effect.provide(append, other)
          yield* Queue.take(told)
        }).pipe(Effect.provide(yield* serverOn(url, { statementTimeout: "1 hour", lockTimeout: "100 millis" })))
      }),
    30_000
  )

  it.scopedLive("fails one unit of work, and not another one for each unused connection", () =>
    Effect.gen(function*() {
      const { fallSilent, url: { href: url } } = yield* proxy(yield* migrated)
      const user = Samples.user()
      yield* Effect.gen(function*() {
        yield* Effect.replicateEffect(save(user), 3, { concurrency: "unbounded" })
        yield* fallSilent
        // Long enough to send the statement: without it, no connection is known to be lost.
        expect(yield* Effect.timeoutOption(find(user), "500 millis")).toEqual(Option.none())
        expect(yield* Effect.replicateEffect(usernameOf(user), 3)).toEqual(
          Arrays.replicate(Option.some(user.username), 3)
        )
      }).pipe(Effect.provide(yield* serverOn(url, { statementTimeout: "1 hour", poolSize: 3 })))
    }))

  it.scopedLive(
    "lets the storage close in seconds, although its connections do not answer",
    () =>
      Effect.gen(function*() {
        const { fallSilent, url: { href: url } } = yield* proxy(yield* migrated)
        const scope = yield* Scope.make()
        yield* Scope.extend(serverOn(url, { statementTimeout: "1 hour" }), scope)
        yield* fallSilent
        yield* Scope.close(scope, Exit.void)
      }),
    30_000
  )
})

describe("a pool whose connections are all in use", () => {
  it.scopedLive("lets a unit of work wait, then fails it, and runs the next one", () =>
    withStorage({ poolSize: 1, connectTimeout: "300 millis" }, () =>
      Effect.gen(function*() {
        const user = Samples.user()
        const using = yield* paused(Effect.void)
        expect(LoggedCause.describeError(yield* Effect.flip(atomically(save(user))))).toBe(
          "StorageError in connect to the database, caused by PostgresFailure (timeout exceeded when trying to connect)"
        )
        yield* Effect.flatten(using.release)
        yield* save(user)
        expect(yield* usernameOf(user)).toEqual(Option.some(user.username))
      })))

  it.scopedLive("gets the connection of an interrupted unit of work back, at any point of the unit", () =>
    withStorage({ poolSize: 1 }, () =>
      Effect.gen(function*() {
        const user = Samples.user()
        for (const moment of Arrays.range(0, 40)) {
          const unit = yield* Effect.fork(atomically(Effect.zipRight(save(user), save({ ...user, username: "after" }))))
          yield* Effect.repeatN(Effect.yieldNow(), moment * 3)
          yield* Fiber.interrupt(unit)
        }
        yield* atomically(save({ ...user, username: "last" }))
        expect(yield* usernameOf(user)).toEqual(Option.some("last"))
      })))
})

describe("a unit of work that is interrupted while the database does not answer", () => {
  it.scopedLive("gives its place in the pool to the next one at once, and leaves no process of PostgreSQL", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [user, other] = [Samples.user(), Samples.user()]
      const holding = <A, E, R>(unit: Effect.Effect<A, E, R>) =>
        Effect.flatMap(
          UnitOfWork,
          ({ lock }) =>
            atomically(Effect.zipRight(lock({ kind: "account", id: user.id }), Effect.zipRight(save(user), unit)))
        )
      const waiting = yield* serverOn(url, { poolSize: 1, lockTimeout: "1 hour", statementTimeout: "1 hour" })
      yield* holding(
        Effect.gen(function*() {
          const interrupted = yield* Effect.fork(holding(Effect.void))
          const next = yield* Effect.fork(save(other))
          yield* LocalPostgres.execute(url, UNTIL_LOCK_IS_AWAITED)
          yield* Fiber.interrupt(interrupted)
          yield* Fiber.join(next)
          yield* LocalPostgres.execute(url, UNTIL_NO_LOCK_IS_AWAITED)
        }).pipe(Effect.provide(waiting))
      ).pipe(Effect.provide(yield* serverOn(url, { idleTimeout: "1 minute" })))
    }))
})

describe("a server that has no more connections", () => {
  it.scopedLive("lets requests wait for the connections that the pool has, and does not ask for more each time", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const role = `limited_${process.pid}_${Date.now()}`
      yield* Effect.acquireRelease(
        LocalPostgres.execute(
          url,
          `CREATE ROLE ${role} LOGIN PASSWORD 'secret' CONNECTION LIMIT 3; GRANT postgres TO ${role}`
        ),
        () => Effect.orDie(LocalPostgres.execute(url, `DROP ROLE ${role}`))
      )
      const { accepted, url: limited } = yield* proxy(url)
      limited.username = role
      limited.password = "secret"
      const options = { url: Redacted.make(limited.href), poolSize: 20, migrate: false }
      const services = yield* Layer.build(PostgresDatabase.layer(options))
      const { pool } = yield* Effect.provide(PostgresDatabase.PostgresServer, services)
      const read = pool.use((connection) => connection.values("SELECT pg_sleep(0.005)", []))
      yield* Effect.forEach(Arrays.range(1, 200), () => read, { concurrency: "unbounded" })
      // Those of the first attempt, the one for events, and a few after each second.
      expect(accepted()).toBeLessThan(60)
    }))
})

describe("a standby", () => {
  it.scopedLive("is not read, because it may not have what other servers have answered; after its promotion, it is", () =>
    Effect.gen(function*() {
      const server = yield* LocalPostgres.own()
      const url = yield* server.database
      const user = Samples.user()
      yield* Effect.scoped(Effect.flatMap(serverOn(url), (services) => Effect.provide(save(user), services)))
      const services = yield* serverOn(url)
      yield* usernameOf(user).pipe(Effect.provide(services))
      const directory = yield* directoryOf(url)
      // Its start is complete when it is promoted.
      const restart = yield* Effect.fork(
        server.outage(Effect.promise(() => writeFile(join(directory, "standby.signal"), "")))
      )
      yield* untilItSucceeds(LocalPostgres.execute(url, REQUIRE_STANDBY))
      const refused = yield* Effect.repeat(Effect.flip(Effect.provide(usernameOf(user), services)), {
        until: (error) => LoggedCause.describeError(error).includes(READ_ONLY_SERVER),
        times: 20
      })
      expect(LoggedCause.describeError(refused)).toContain(READ_ONLY_SERVER)
      yield* LocalPostgres.execute(url, "SELECT pg_promote()")
      yield* Fiber.join(restart)
      expect(yield* Effect.provide(usernameOf(user), services)).toEqual(Option.some(user.username))
    }))
})

describe("a check of health", () => {
  it.scopedLive("waits for no unfinished check of another server, such as one that was stopped in its check", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const write = Effect.flatMap(StorageHealth, (health) => health.write)
      const [stopped, other] = [yield* serverOn(url), yield* serverOn(url, { lockTimeout: "100 millis" })]
      yield* atomically(Effect.zipRight(write, Effect.provide(write, other))).pipe(Effect.provide(stopped))
    }))
})

describe("a connection that was unused for a long time", () => {
  it.scopedLive("gives a unit of work the full idle time", () =>
    withStorage({ poolSize: 1, idleTimeout: "1 second" }, (url) =>
      Effect.gen(function*() {
        const [user, other] = [Samples.user(), Samples.user()]
        yield* atomically(save(user))
        yield* LocalPostgres.execute(url, "SELECT pg_sleep(1.1)")
        yield* atomically(Effect.zipRight(Effect.orDie(LocalPostgres.execute(url, "SELECT 1")), save(other)))
        expect(yield* usernameOf(other)).toEqual(Option.some(other.username))
      })))
})

describe("units of work that conflict", () => {
  type Save = (webhook: Webhook) => Effect.Effect<unknown, unknown, WebhookRepository>
  const sent: Save = (webhook) => Effect.flatMap(WebhookRepository, (webhooks) => webhooks.save(webhook))
  const found = ({ id }: Webhook) => Effect.flatMap(WebhookRepository, (webhooks) => webhooks.find(id))
  const lastStatements: ReadonlyArray<readonly [what: string, last: Save]> = [
    ["for which it waits", (webhook) => Effect.zipRight(sent(webhook), found(webhook))],
    ["for which it does not wait", sent],
    [
      "whose failure it ignores",
      (webhook) => sent(webhook).pipe(Effect.zipRight(Effect.ignore(found(webhook))), Effect.zipRight(sent(webhook)))
    ]
  ]

  for (const [what, last] of lastStatements) {
    it.scopedLive(`a unit of work runs again if a deadlock ends a statement ${what}; both are committed, each event once`, () =>
      withStorage({}, () =>
        Effect.gen(function*() {
          const events = yield* EventLog
          const [one, other] = [yield* Saved.webhook(), yield* Saved.webhook()]
          const [first, second] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
          let runs = 0
          /** Changes one webhook, and last the other one, after both units have changed their first. */
          const crossing = (
            changed: readonly [Webhook, Webhook],
            name: WebhookName,
            reached: typeof first,
            awaited: typeof first
          ) =>
            atomically(Effect.gen(function*() {
              runs += 1
              yield* events.append(Samples.event())
              yield* sent({ ...changed[0], name })
              yield* found(changed[0])
              yield* Deferred.succeed(reached, undefined)
              yield* Deferred.await(awaited)
              yield* last({ ...changed[1], name })
            }))
          yield* Effect.all([
            crossing([one, other], WebhookName.make("first"), first, second),
            crossing([other, one], WebhookName.make("second"), second, first)
          ], { concurrency: 2 })
          const [nameOfOne, nameOfOther] = (yield* Effect.all([found(one), found(other)]))
            .map(Option.map(({ name }) => name))
          expect(runs).toBeGreaterThan(2)
          expect((yield* events.read(0, 10)).length).toBe(2)
          expect(nameOfOne).toEqual(nameOfOther)
        })))
  }

  it.scopedLive("a unit of work that continues after a failed statement fails at its end, and a nested one not the outer one", () =>
    withStorage({}, () =>
      Effect.gen(function*() {
        const user = Samples.user()
        const messages = yield* ScheduledMessageRepository
        const ofNobody = messages.insert(Samples.scheduledMessage())
        const unit = atomically(Effect.zipRight(save(user), Effect.ignore(ofNobody)))
        expect(yield* storageErrorOf(unit)).toBe("commit a transaction: one of its statements has failed")
        // The nested one did not wait for its statement.
        const nested = atomically(Effect.zipRight(atomically(ofNobody), save(user)))
        expect(yield* storageErrorOf(nested)).toBe("release a savepoint")
        expect(yield* usernameOf(user)).toEqual(Option.none())
        yield* atomically(Effect.zipRight(Effect.ignore(atomically(ofNobody)), save(user)))
        expect(yield* usernameOf(user)).toEqual(Option.some(user.username))
      })))
})
