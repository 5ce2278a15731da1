import * as Samples from "@community-messaging/domain-contract/Samples"
import type { Guild } from "@community-messaging/domain/guild/Guild"
import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import * as ConnectionPool from "@community-messaging/storage-postgres/ConnectionPool"
import * as GroupCommit from "@community-messaging/storage-postgres/GroupCommit"
import { settingsOf } from "@community-messaging/storage-postgres/PostgresOptions"
import { describe, expect, it } from "@effect/vitest"
import { Array as Arrays, Effect, Exit, FastCheck, Fiber, Metric, MetricState, Option, Redacted } from "effect"
import {
  atomically,
  type Body,
  clientOf,
  find,
  guildsByTransaction,
  heldElsewhere,
  hold,
  refused,
  samples,
  save,
  type Services,
  whileConnectionIsTaken,
  withStorage
} from "./SharedTransactions.ts"
import { migrated } from "./TemporaryDatabase.ts"

/** The numbers of counted commits and of their units. */
const sharedCommits = Effect.map(Metric.snapshot, (pairs) => {
  const found = pairs.find(({ metricKey }) => metricKey.name === "community_messaging_commit_units")
  return found !== undefined && MetricState.isHistogramState(found.metricState)
    ? { commits: found.metricState.count, units: found.metricState.sum }
    : { commits: 0, units: 0 }
})

describe("units of work that wait for a connection", () => {
  it.scoped("are committed together, and counted by the commit that they share", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const before = yield* sharedCommits
        yield* whileConnectionIsTaken(samples(5).map(save))
        const after = yield* sharedCommits
        // Includes the unit that has the connection.
        expect([after.commits - before.commits, after.units - before.units]).toEqual([1, 6])
        expect(yield* guildsByTransaction(url)).toEqual([5])
      })))

  it.scoped("are at most 16 in a transaction", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        yield* whileConnectionIsTaken(samples(20).map(save))
        // The unit that has the connection is one of them.
        expect(yield* guildsByTransaction(url)).toEqual([15, 5])
      })))

  it.scoped("complete when others can see their writes", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const client = yield* clientOf(url)
        const [one, other] = [Samples.guild(), Samples.guild()]
        const seen = yield* Effect.forEach(
          [one, other],
          (guild) =>
            Effect.zipRight(
              atomically(save(guild)),
              Effect.promise(() => client.query("SELECT 1 FROM guilds WHERE id = $1", [guild.id]))
            ),
          { concurrency: "unbounded" }
        )
        expect(seen.map(({ rowCount }) => rowCount)).toEqual([1, 1])
      })))

  it.scoped("wake the subscribers of events, also if the last of them has none", () =>
    Effect.gen(function*() {
      const settings = settingsOf({ url: Redacted.make(yield* migrated), poolSize: 1 })
      let woken = 0
      const { transact } = GroupCommit.make({
        pool: yield* ConnectionPool.make(settings),
        idleMillis: settings.idleMillis,
        wake: () => {
          woken += 1
        }
      })
      const withEvents = transact((unit) =>
        Effect.sync(() => {
          unit.notifies = true
        })
      )
      yield* Effect.all([withEvents, transact(() => Effect.void)], { concurrency: "unbounded" })
      expect(woken).toBe(1)
    }))

  it.scoped("have a separate transaction if they take an exclusive lock, and delay no other", () =>
    withStorage(1, (url) =>
      Effect.gen(function*() {
        const guild = Samples.guild()
        const [before, after] = [samples(2), samples(2)]
        const holder = yield* heldElsewhere(url, guild)
        const running = yield* Effect.fork(whileConnectionIsTaken([
          ...before.map(save),
          Effect.zipRight(hold(guild), save(guild)),
          ...after.map(save)
        ]))
        // Earlier units are committed while it waits for the other server.
        const client = yield* clientOf(url)
        yield* Effect.repeat(Effect.promise(() => client.query("SELECT 1 FROM guilds")), {
          until: ({ rowCount }) => rowCount === before.length
        })
        yield* holder.end
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

  const beginnings: ReadonlyArray<readonly [when: string, begin: (guild: Guild) => Body, transactions: Array<number>]> =
    [
      ["after a write, and the others are committed, each alone", save, [1, 1]],
      ["before it writes, and the others are committed together", find, [2]],
      [
        "after queries of several lines, and the others are committed together",
        () => Effect.flatMap(GuildRepository, (guilds) => guilds.list({ after: Option.none(), limit: 1 })),
        [2]
      ]
    ]

  for (const [what, ending] of endings) {
    it.scoped.each(beginnings)(
      `writes nothing if it ${what} %s`,
      ([, begin, transactions]) =>
        withStorage(1, (url) =>
          Effect.gen(function*() {
            const [one, failing, other] = [Samples.guild(), Samples.guild(), Samples.guild()]
            const exits = yield* whileConnectionIsTaken([
              save(one),
              Effect.zipRight(begin(failing), ending),
              save(other)
            ])
            expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
            expect(yield* find(failing)).toEqual(Option.none())
            expect(yield* guildsByTransaction(url)).toEqual(transactions)
          }))
    )
  }

  it.scoped("rolls back its writes from before it took an exclusive lock", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [one, failing, held] = [Samples.guild(), Samples.guild(), Samples.guild()]
        const exits = yield* whileConnectionIsTaken([
          save(one),
          Effect.all([save(failing), hold(held), find(held), Effect.fail("no")])
        ])
        expect(exits.map(Exit.isSuccess)).toEqual([true, false])
        expect([yield* find(one), yield* find(failing)]).toEqual([Option.some(one), Option.none()])
      })))

  it.scoped("runs again alone, because writes that were rolled back may have caused the failure", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [one, other] = [Samples.guild(), Samples.guild()]
        let runs = 0
        // It fails while it can see the guild of the unit before it.
        const shy = Effect.flatMap(find(one), (found) => {
          runs += 1
          return Option.isSome(found) && runs === 1
            ? Effect.zipRight(save(other), Effect.fail("seen"))
            : save(other)
        })
        const exits = yield* whileConnectionIsTaken([save(one), shy])
        expect([exits.map(Exit.isSuccess), runs]).toEqual([[true, true], 2])
      })))

  it.scoped("does not affect the others, even if its statement ends the transaction", () =>
    withStorage(1, () =>
      Effect.gen(function*() {
        const [one, other] = [Samples.guild(), Samples.guild()]
        const exits = yield* whileConnectionIsTaken([save(one), refused, save(other)])
        expect(exits.map(Exit.isSuccess)).toEqual([true, false, true])
        expect([yield* find(one), yield* find(other)]).toEqual([Option.some(one), Option.some(other)])
      })))

  it.scoped("does not affect the others, even if its connection is lost", () =>
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

it.scoped("commits exactly the units of work that succeed, with any outcome of others beside them", () =>
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
                  default:
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
