import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { MemberIndexes, SEARCH_TIMEOUT_MILLIS } from "@community-messaging/member-index/GuildIndexes"
import * as Sharding from "@effect/cluster/Sharding"
import { Effect, Option } from "effect"
import * as GuildOwners from "./GuildOwners.ts"
import { decodeQuestion, encodeAnswer, GuildSearch, SearchedElsewhere, SearchNotUnderstood } from "./GuildSearch.ts"

/** The maximum number of searches for other servers in progress. Further ones fail with 503. */
const MAX_SEARCHES = 1_000

/** Searches the indexes of this server for other servers. */
export const layer = GuildSearch.toLayer(Effect.gen(function*() {
  const { find } = yield* MemberIndexes
  const sharding = yield* Sharding.Sharding
  const places = (yield* Effect.makeSemaphore(MAX_SEARCHES)).withPermitsIfAvailable(1)

  const answer = (payload: string) =>
    Effect.gen(function*() {
      const question = yield* Effect.mapError(decodeQuestion(payload), () => new SearchNotUnderstood())
      if (!GuildOwners.isHere(sharding, question.guildId)) return yield* new SearchedElsewhere()
      const searched = yield* places(Effect.suspend(() => find(question, performance.now() + SEARCH_TIMEOUT_MILLIS)))
      if (Option.isNone(searched)) return yield* new StorageError({ operation: "search members: too many searches" })
      return yield* Effect.orDie(encodeAnswer({ found: searched.value }))
    })

  return {
    Search: (payload) =>
      answer(payload).pipe(
        // Without the cause, which may name tables and addresses, and is of no use to the other server.
        Effect.catchTag("StorageError", ({ operation }) => Effect.fail(new StorageError({ operation }))),
        // The other server treats a defect as a message that is not understood.
        Effect.catchAllDefect((defect) =>
          Effect.logError("A search for another server failed").pipe(
            Effect.annotateLogs({ cause: LoggedCause.describeError(defect) }),
            Effect.zipRight(Effect.fail(new StorageError({ operation: "search members" })))
          )
        )
      )
  }
}))
