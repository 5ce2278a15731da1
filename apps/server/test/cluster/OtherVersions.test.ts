import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Logger } from "effect"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { GuildSearch, SearchNotUnderstood } from "../../src/cluster/GuildSearch.ts"
import { divided, guildsOfOne, start } from "./ClusterServer.ts"

/** Longer than a test may take: a test that waits for it fails. */
const FOR_EVER = Duration.minutes(5)

/** Searches a guild of a server with these answers three times, and each time also a guild of the first server. */
const searchesBeside = (answer: Effect.Effect<string, SearchNotUnderstood>) =>
  Effect.gen(function*() {
    const lines: Array<unknown> = []
    const log = Logger.make(({ logLevel, message }) => {
      if (logLevel._tag === "Warning") lines.push(message)
    })
    const url = yield* emptyDatabase
    const asking = yield* start({ url, answerTimeout: FOR_EVER })
    const other = yield* start({ url, searches: GuildSearch.toLayer({ Search: () => answer }) })
    const guilds = yield* Effect.provide(guildsOfOne, asking.context)
    yield* divided([asking, other], guilds)
    const own = yield* Effect.fromNullable(guilds.find(asking.owns))
    const elsewhere = yield* Effect.fromNullable(guilds.find(other.owns))
    const found = yield* Effect.forEach([own, elsewhere], (guildId) =>
      Effect.replicateEffect(
        Effect.map(asking.search(guildId), ({ indexing, total }) => indexing ? "indexing" : total),
        3
      )).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, log)))
    return { found, lines }
  })

const ANSWERS: ReadonlyArray<readonly [what: string, answer: Effect.Effect<string, SearchNotUnderstood>]> = [
  ["the other one does not understand its question", new SearchNotUnderstood()],
  ["it does not understand the answer", Effect.succeed("{\"found\":[\"in another form\"]}")],
  ["the other one does not support the message", Effect.dieMessage("Unknown request tag: Search")]
]

describe("A server beside one of another version", () => {
  for (const [what, answer] of ANSWERS) {
    it.scopedLive(`reports at once that a guild is being indexed, if ${what}`, () =>
      Effect.gen(function*() {
        expect(yield* searchesBeside(answer)).toEqual({
          found: [[1, 1, 1], ["indexing", "indexing", "indexing"]],
          lines: [["Another server has another version: searches of its guilds report `indexing`"]]
        })
      }))
  }
})
