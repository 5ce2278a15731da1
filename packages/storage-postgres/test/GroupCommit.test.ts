import * as Samples from "@community-messaging/domain-contract/Samples"
import type { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import * as Aggregate from "@community-messaging/domain/shared-kernel/Aggregate"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Deferred, Effect, Exit, FastCheck, Fiber, Layer, Option, Redacted, type Scope } from "effect"
import { Client } from "pg"
import { migrated, withSearchPath } from "./TemporaryDatabase.ts"

type Services = GuildRepository | ScheduledMessageRepository | UnitOfWork

type Body = Effect.Effect<unknown, unknown, Services>

const save = (guild: Guild) => Effect.flatMap(GuildRepository, (guilds) => guilds.save(guild))
const find = ({ id }: Guild) => Effect.flatMap(GuildRepository, (guilds) => guilds.find(id))

/** Fails at the commit at the latest: there is no such author. */
const refused = Effect.flatMap(ScheduledMessageRepository, ({ insert }) => insert(Samples.scheduledMessage()))

const atomically = (body: Body) => Effect.flatMap(UnitOfWork, (units) => units.atomically(body))
const hold = (guild: Guild) => Effect.flatMap(UnitOfWork, (units) => units.lock(Aggregate.guild(guild.id)))

/** Runs the test against a storage in a database of its own, which has that many connections. */
const withStorage = <E>(
  poolSize: number,
  test: (url: string) => Effect.Effect<void, E, Services | Scope.Scope>
) =>
  Effect.gen(function*() {
    const url = yield* migrated
    const storage = yield* Layer.build(StoragePostgres.layer({ url: Redacted.make(url), poolSize }))
    yield* Effect.provide(test(url), storage)
  })

/** A connection of somebody else. */
const clientOf = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ connectionString: withSearchPath(url) })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )

/** How many guilds each transaction has kept, in the order of the transactions. */
const guildsByTransaction = (url: string) =>
  Effect.gen(function*() {
    const client = yield* clientOf(url)
    const { rows } = yield* Effect.promise(() =>
      client.query<{ guilds: number }>(
        "SELECT count(*)::int AS guilds FROM guilds GROUP BY xmin::text ORDER BY xmin::text::bigint"
      )
    )
    return rows.map(({ guilds }) => guilds)
  })

/** Runs the units while another one has the only connection, which then goes on. Gives how they ended. */
const whileConnectionIsTaken = Effect.fnUntraced(function*(units: ReadonlyArray<Body>) {
  const [begun, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
  const first = yield* Effect.fork(
    atomically(Effect.zipRight(Deferred.succeed(begun, undefined), Deferred.await(released)))
  )
  yield* Deferred.await(begun)
  const waiting = yield* Effect.fork(Effect.all(units.map((unit) => Effect.exit(atomically(unit))), {
    concurrency: "unbounded"
  }))
  yield* Effect.repeatN(Effect.yieldNow(), 20)
  yield* Deferred.succeed(released, undefined)
  yield* Fiber.join(first)
  return yield* Fiber.join(waiting)
})

const samples = (count: number) => Arrays.makeBy(count, () => Samples.guild())

describe("units of work that wait for a connection", () => {
  it.scoped("are committed together", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        yield* whileConnectionIsTaken(samples(5).map(save))
        expect(yield* guildsByTransaction(url)).toEqual([5])
      })))

  it.scoped("are at most 16 in a transaction", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        yield* whileConnectionIsTaken(samples(20).map(save))
        // The unit that has the connection is one of them.
        expect(yield* guildsByTransaction(url)).toEqual([15, 5])
      })))

  it.scoped("are answered when others can see what they kept", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const client = yield* clientOf(url)
        const [one, other] = [Samples.guild(), Samples.guild()]
        const seen = yield* Effect.all(
          [one, other].map((guild) =>
            Effect.zipRight(
              atomically(save(guild)),
              Effect.promise(() => client.query("SELECT 1 FROM guilds WHERE id = $1", [guild.id]))
            )
          ),
          { concurrency: "unbounded" }
        )
        expect(seen.map(({ rowCount }) => rowCount)).toEqual([1, 1])
      })))

  it.scoped("are in a transaction of their own if they hold something alone, and keep nobody waiting", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const guild = Samples.guild()
        const [before, after] = [samples(2), samples(2)]
        const [isHeld, released] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const elsewhere = yield* Layer.build(StoragePostgres.layer({ url: Redacted.make(url), poolSize: 1 }))
        const holder = yield* Effect.fork(Effect.provide(
          atomically(
            hold(guild).pipe(
              Effect.zipRight(find(guild)),
              Effect.zipRight(Deferred.succeed(isHeld, undefined)),
              Effect.zipRight(Deferred.await(released))
            )
          ),
          elsewhere
        ))
        yield* Deferred.await(isHeld)
        const running = yield* Effect.fork(whileConnectionIsTaken([
          ...before.map(save),
          Effect.zipRight(hold(guild), save(guild)),
          ...after.map(save)
        ]))
        // Those before it are kept while it waits for the one elsewhere.
        const client = yield* clientOf(url)
        yield* Effect.repeat(Effect.promise(() => client.query("SELECT 1 FROM guilds")), {
          until: ({ rowCount }) => rowCount === before.length
        })
        yield* Deferred.succeed(released, undefined)
        yield* Fiber.join(holder)
        yield* Fiber.join(running)
        expect(yield* guildsByTransaction(url)).toEqual([2, 1, 2])
      })))
})

describe("a unit of work among others that fails", () => {
  const endings: ReadonlyArray<readonly [string, Effect.Effect<never, string>]> = [
    ["fails", Effect.fail("no")],
    ["dies", Effect.die("broken")],
    ["is interrupted", Effect.interrupt]
  ]

  for (const [what, ending] of endings) {
    it.scoped(`leaves nothing if it ${what} after a write, and the others are kept, each alone`, () =>
      withStorage(1, (url) =>
        Effect.gen(function*() {
          const [one, failing, other] = [Samples.guild(), Samples.guild(), Samples.guild()]
          const exits = yield* whileConnectionIsTaken([save(one), Effect.zipRight(save(failing), ending), save(other)])
          expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
          expect(yield* find(failing)).toEqual(Option.none())
          expect(yield* guildsByTransaction(url)).toEqual([1, 1])
        })))

    it.scoped(`does not keep the others from being committed together if it ${what} before it writes`, () =>
      withStorage(1, (url) =>
        Effect.gen(function*() {
          const [one, failing, other] = [Samples.guild(), Samples.guild(), Samples.guild()]
          const exits = yield* whileConnectionIsTaken([save(one), Effect.zipRight(find(failing), ending), save(other)])
          expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
          expect(yield* guildsByTransaction(url)).toEqual([2])
        })))
  }

  it.scoped("is run again alone, because it may have failed by what was rolled back", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [one, other] = [Samples.guild(), Samples.guild()]
        let runs = 0
        // It fails as long as it can see the guild of the unit before it.
        const shy = Effect.flatMap(find(one), (found) => {
          runs += 1
          return Option.isSome(found) && runs === 1
            ? Effect.zipRight(save(other), Effect.fail("seen"))
            : save(other)
        })
        const exits = yield* whileConnectionIsTaken([save(one), shy])
        expect([exits.map(Exit.isSuccess), runs]).toEqual([[true, true], 2])
      })))

  it.scoped("keeps the others although its statement ends the transaction", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [one, other] = [Samples.guild(), Samples.guild()]
        const exits = yield* whileConnectionIsTaken([save(one), refused, save(other)])
        expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
        expect([yield* find(one), yield* find(other)]).toEqual([Option.some(one), Option.some(other)])
      })))

  it.scoped("keeps the others although its connection is lost", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const [one, other] = [Samples.guild(), Samples.guild()]
        const client = yield* clientOf(url)
        const cut = Effect.promise(() =>
          client.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
            WHERE datname = current_database() AND application_name = 'community-messaging' AND xact_start IS NOT NULL`
          )
        )
        let runs = 0
        const exits = yield* whileConnectionIsTaken([
          save(one),
          Effect.suspend(() => {
            runs += 1
            return runs === 1 ? Effect.zipRight(Effect.zipRight(cut, find(one)), save(other)) : save(other)
          })
        ])
        expect(exits.map(Exit.isSuccess)).toEqual([true, true])
        expect([yield* find(one), yield* find(other)]).toEqual([Option.some(one), Option.some(other)])
      })))
})

it.scoped("keeps exactly the units of work that succeed, whatever becomes of those beside them", () =>
  withStorage(2, () =>
    Effect.flatMap(Effect.runtime<Services>(), (runtime) =>
      Effect.promise(() =>
        FastCheck.assert(
          FastCheck.asyncProperty(
            FastCheck.array(FastCheck.constantFrom("kept", "fails", "dies", "is interrupted", "holds", "reads"), {
              minLength: 3,
              maxLength: 40
            }),
            async (kinds) => {
              const guilds = samples(kinds.length)
              const bodyOf = (guild: Guild, kind: typeof kinds[number]): Body => {
                switch (kind) {
                  case "kept":
                    return save(guild)
                  case "fails":
                    return Effect.zipRight(save(guild), Effect.fail("no"))
                  case "dies":
                    return Effect.zipRight(save(guild), Effect.die("broken"))
                  case "is interrupted":
                    return Effect.zipRight(save(guild), Effect.interrupt)
                  case "holds":
                    return Effect.zipRight(hold(guild), save(guild))
                  case "reads":
                    return Effect.zipRight(find(guild), Effect.fail("no"))
                }
              }
              const program = Effect.gen(function*() {
                const exits = yield* Effect.all(
                  Arrays.zipWith(guilds, kinds, (guild, kind) => Effect.exit(atomically(bodyOf(guild, kind)))),
                  { concurrency: "unbounded" }
                )
                const kept = yield* Effect.all(guilds.map((guild) => Effect.map(find(guild), Option.isSome)))
                const expected = kinds.map((kind) => kind === "kept" || kind === "holds")
                expect(exits.map(Exit.isSuccess)).toEqual(expected)
                expect(kept).toEqual(expected)
              })
              await Effect.runPromise(Effect.provide(program, runtime))
            }
          ),
          { numRuns: 40 }
        )
      ))))
