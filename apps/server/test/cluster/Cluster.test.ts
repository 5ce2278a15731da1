import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { GuildId } from "@community-messaging/domain/guild/Guild"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import * as StoragePostgres from "@community-messaging/storage-postgres/StoragePostgres"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Context, Redacted } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { temporaryDirectory } from "../composed/ComposedServer.ts"
import { start, until } from "./ClusterServer.ts"

describe("sharded", () => {
  it.scopedLive("works", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const storage = yield* Layer.build(StoragePostgres.layer({ url: Redacted.make(url), schema: "chat" }))
      const t0 = performance.now()
      const one = yield* start({ url })
      const other = yield* start({ url })
      console.log("built", performance.now() - t0)
      const guilds = yield* Effect.all(Array.from({ length: 8 }, () => Effect.gen(function*() {
        const { id } = yield* Saved.guild()
        for (let i = 0; i < 30; i++) {
          const user = yield* Saved.user({ username: "user"+i })
          yield* Saved.membership({ guildId: id, userId: user.id })
        }
        return id
      }))).pipe(Effect.provide(storage))
      yield* until(Effect.sync(() => guilds.filter(one.owns).length + guilds.filter(other.owns).length), (n) => n === guilds.length)
      yield* until(Effect.sync(() => guilds.filter(other.owns).length), (n) => n > 0)
      console.log("assigned", performance.now() - t0, guilds.map((g) => [one.owns(g), other.owns(g)]))
      const local = Context.get(storage, MemberDirectory)
      const { MemberQuery } = yield* Effect.promise(() => import("@community-messaging/domain/member-search/MemberQuery"))
      for (const g of guilds) {
        const a = yield* one.search(g), b = yield* other.search(g), c = yield* local.search(g, MemberQuery.make({}))
        expect(a).toEqual(c); expect(b).toEqual(c)
      }
      const g = guilds.find(other.owns)!
      const time = (f: Effect.Effect<unknown, unknown>) => Effect.gen(function*() {
        const ts: number[] = []; const c0 = process.cpuUsage()
        for (let i = 0; i < 400; i++) { const t = performance.now(); yield* f; ts.push(performance.now() - t) }
        ts.sort((a, b) => a - b); const c = process.cpuUsage(c0); return [ts[200], ts[396], (c.user + c.system) / 400 / 1000]
      })
      console.log("direct", yield* time(local.search(g, MemberQuery.make({}))))
      console.log("local entity", yield* time(other.search(g)))
      console.log("forwarded", yield* time(one.search(g)))
      const t1 = performance.now()
      yield* other.stop
      console.log("stopped", performance.now() - t1)
      const p = yield* one.search(g)
      console.log("after stop", performance.now() - t1, p.indexing, p.total)
    }), 60000)
})
