import { WorkPlacement } from "@community-messaging/domain/background-work/WorkPlacement"
import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { describe, expect, it } from "@effect/vitest"
import { Array, Context, Duration, Effect, Fiber, Logger, Ref } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { type ClusterServer, divided, guildsOfOne, memberOf, start, until } from "./ClusterServer.ts"

/** On a busy machine, a guild is without a server for longer than a search waits by default. */
const answerTimeout = Duration.minutes(1)

const twoServers = (url: string) =>
  Effect.all([start({ url, answerTimeout }), start({ url, answerTimeout })], { concurrency: 2 })

const usernames = (server: ClusterServer, guildId: GuildId) =>
  Effect.map(
    server.search(guildId),
    ({ indexing, members }) => indexing ? "indexing" : members.map(({ username }) => username).sort()
  )

describe("Servers of a cluster", () => {
  it.scopedLive("find all committed members on each server, wherever the guild is searched", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      // They start at the same time on an empty database.
      const all = yield* Effect.all([start({ url }), start({ url }), start({ url })], { concurrency: 3 })
      const [first] = all
      const made = yield* Effect.provide(guildsOfOne, first.context)
      yield* divided(all, made)
      for (const guildId of made.slice(0, 4)) {
        for (const [number, server] of all.entries()) {
          yield* Effect.provide(memberOf(guildId, `bob${number}`), first.context)
          const expected = ["ada", ...Array.makeBy(number + 1, (index) => `bob${index}`)]
          expect(yield* usernames(server, guildId)).toEqual(expected)
          expect(yield* Effect.forEach(all, (other) => usernames(other, guildId))).toEqual(all.map(() => expected))
        }
      }
    }))

  it.scopedLive("take over from a server that stops, without effect on searches", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const [staying, stopping] = yield* twoServers(url)
      const made = yield* Effect.provide(guildsOfOne, staying.context)
      yield* divided([staying, stopping], made)
      const answers = yield* Ref.make<ReadonlyArray<unknown>>([])
      const searching = yield* Effect.forEach(made, (guildId) => usernames(staying, guildId)).pipe(
        Effect.flatMap((found) => Ref.update(answers, Array.appendAll(found))),
        Effect.forever,
        Effect.fork
      )
      yield* stopping.stop
      yield* until(Effect.sync(() => made.every(staying.owns)), (isAll) => isAll)
      const before = (yield* Ref.get(answers)).length
      yield* until(Ref.get(answers), ({ length }) => length > before)
      yield* Fiber.interrupt(searching)
      expect((yield* Ref.get(answers)).filter((answer) => JSON.stringify(answer) !== `["ada"]`)).toEqual([])
    }))

  it.scopedLive("report that a guild is being indexed when its server does not answer in time", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const logged: globalThis.Array<string> = []
      const log = Logger.make(({ message }) => void logged.push(String(message)))
      const asking = yield* start({ url, answerTimeout: Duration.millis(300) })
      // It is in the cluster, but no other server can connect to it.
      const silent = yield* start({ url, secret: "another secret, which the others do not know" })
      const made = yield* Effect.provide(guildsOfOne, asking.context)
      yield* divided([asking, silent], made)
      const some = [asking, silent].flatMap(({ owns }) => made.filter(owns).slice(0, 3))
      for (const guildId of some) {
        const answer = yield* Effect.provide(usernames(asking, guildId), Logger.replace(Logger.defaultLogger, log))
        expect(answer).toEqual(asking.owns(guildId) ? ["ada"] : "indexing")
      }
      // Once a minute at most.
      expect(logged.filter((line) => line.includes("CLUSTER_HOST"))).toEqual([
        "No other server answered a member search in time: do all reach one another at their CLUSTER_HOST and CLUSTER_PORT?"
      ])
    }))

  it.scopedLive("do each piece of work on one server, and on another one when that stops", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const both = yield* twoServers(url)
      const working = yield* Ref.make<ReadonlyArray<number>>([])
      const step = "deleteDueAccounts"
      yield* Effect.forEach(both, ({ context }, number) =>
        Context.get(context, WorkPlacement)(
          step,
          Effect.acquireUseRelease(
            Ref.update(working, Array.append(number)),
            () => Effect.never,
            () => Ref.update(working, Array.filter((other) => other !== number))
          )
        ))
      const [number = 0] = yield* until(Ref.get(working), ({ length }) => length === 1)
      yield* both[number]?.stop ?? Effect.void
      expect(yield* until(Ref.get(working), ({ length }) => length === 1)).toEqual([1 - number])
    }))
})
