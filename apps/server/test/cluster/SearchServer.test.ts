import { MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import * as RpcTest from "@effect/rpc/RpcTest"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { decodeAnswer, encodeQuestion, GuildSearch } from "../../src/cluster/GuildSearch.ts"
import * as SearchServer from "../../src/cluster/SearchServer.ts"
import { divided, guildsOfOne, start } from "./ClusterServer.ts"

/** The answers of two servers to a question about guilds of the first one, and to a text that is not a question. */
const answers = Effect.gen(function*() {
  const url = yield* emptyDatabase
  const [owner, other] = yield* Effect.all([start({ url }), start({ url })], { concurrency: 2 })
  const guilds = yield* Effect.provide(guildsOfOne, owner.context)
  yield* divided([owner, other], guilds)
  const guildId = yield* Effect.fromNullable(guilds.find(owner.owns))
  const question = yield* encodeQuestion({ guildId, query: MemberQuery.make({}), mismatch: Option.none() })
  return yield* Effect.forEach([owner, other], ({ context }) =>
    Effect.gen(function*() {
      const server = yield* RpcTest.makeClient(GuildSearch)
      return {
        question: yield* Effect.either(Effect.flatMap(server.Search(question), decodeAnswer)),
        another: yield* Effect.either(server.Search("{\"in\":\"another form\"}"))
      }
    }).pipe(Effect.provide(SearchServer.layer), Effect.provide(context)))
})

describe("A search for another server", () => {
  it.scopedLive("finds members of a guild that is searched here, and of no other guild", () =>
    Effect.gen(function*() {
      const [owner, other] = yield* answers
      expect(owner?.question).toMatchObject({
        right: { found: { value: { total: 1, userIds: [expect.any(String)] } } }
      })
      expect(other?.question).toMatchObject({ left: { _tag: "SearchedElsewhere" } })
      expect([owner?.another, other?.another]).toMatchObject([
        { left: { _tag: "SearchNotUnderstood" } },
        { left: { _tag: "SearchNotUnderstood" } }
      ])
    }))
})
