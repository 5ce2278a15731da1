import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { MemberPage, MemberQuery } from "@community-messaging/domain/member-search/MemberQuery"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { EntityId, Sharding } from "@effect/cluster"
import { Cause, Duration, Effect, Layer, Option } from "effect"
import * as ClusterMetrics from "./ClusterMetrics.ts"
import { decodePage, decodeSearch, encodePage, encodeSearch, GuildSearch } from "./GuildSearch.ts"

/** The maximum time to wait for the server that has the guild's index. While a guild moves, nobody has it for a second. */
export const ANSWER_TIMEOUT = Duration.seconds(5)

/**
 * The maximum time of one question. A server that stops may take it along, and to ask again does no harm: what the other
 * server builds for the first question goes on.
 */
const ATTEMPT_TIMEOUT = Duration.seconds(1)

/** How long to wait before asking again. */
const RETRY_INTERVAL = Duration.millis(100)

/** The maximum number of searches of a guild in progress. Others fail, and are answered 503. */
const MAX_SEARCHES = 1_000

/** The answer when the guild's index is nowhere: the caller tries again later. */
const BEING_INDEXED: MemberPage = { members: [], total: 0, indexing: true }

/** The entities of the guilds whose indexes live here: they search the storage's own directory. */
const entities = GuildSearch.toLayer(
  Effect.map(MemberDirectory, ({ search }) =>
    GuildSearch.of({
      Search: ({ payload }) =>
        Effect.orDie(decodeSearch(payload)).pipe(
          Effect.flatMap(({ guildId, query }) => search(guildId, query)),
          // The cause may name tables and addresses, and tells the other server nothing.
          Effect.mapError(({ operation }) => new StorageError({ operation })),
          Effect.flatMap((page) => Effect.orDie(encodePage(page)))
        )
    })),
  { concurrency: "unbounded", mailboxCapacity: MAX_SEARCHES, disableFatalDefects: true }
)

/**
 * `MemberDirectory` over that of all servers: a guild is searched on one server, so that its index is in memory once. That
 * server reads what is committed when it searches, so that a search there sees what a search here would see. If no server
 * answers in time, `indexing` is true.
 */
export const layer = (
  answerTimeout: Duration.Duration = ANSWER_TIMEOUT
): Layer.Layer<MemberDirectory, never, MemberDirectory | Sharding.Sharding> =>
  Layer.effect(
    MemberDirectory,
    Effect.gen(function*() {
      const here = yield* MemberDirectory
      const guild = yield* GuildSearch.client
      const { getShardId, hasShardId } = yield* Sharding.Sharding
      const attemptTimeout = Duration.min(ATTEMPT_TIMEOUT, answerTimeout)

      /** None if the server that was asked has not answered, or stopped meanwhile. */
      const ask = (guildId: GuildId, query: MemberQuery): Effect.Effect<Option.Option<MemberPage>, StorageError> =>
        Effect.orDie(encodeSearch({ guildId, query })).pipe(
          Effect.flatMap((text) => guild(guildId).Search(text)),
          Effect.flatMap((text) => Effect.orDie(decodePage(text))),
          Effect.catchTags({
            MailboxFull: () => Effect.fail(new StorageError({ operation: "search members: too many searches" })),
            // These are of messages that are stored; searches are not.
            AlreadyProcessingMessage: Effect.die,
            PersistenceError: Effect.die
          }),
          // The other server is told that nobody waits any more, and may not answer that either.
          Effect.disconnect,
          Effect.timeoutOption(attemptTimeout),
          Effect.catchAllCause((cause) => Cause.isInterruptedOnly(cause) ? Effect.succeedNone : Effect.failCause(cause))
        )

      const askAgain: typeof ask = (guildId, query) =>
        Effect.filterOrElse(
          Effect.delay(ask(guildId, query), RETRY_INTERVAL),
          Option.isSome,
          () => askAgain(guildId, query)
        )

      const unanswered = Effect.as(ClusterMetrics.countUnanswered, BEING_INDEXED)

      // Almost all searches are answered at once, and are spared the fibers of a second timeout.
      const searchElsewhere: typeof here.search = (guildId, query) =>
        Effect.flatMap(Effect.timed(ask(guildId, query)), ([waited, answer]) =>
          Option.isSome(answer)
            ? Effect.succeed(answer.value)
            : Effect.timeoutOption(askAgain(guildId, query), Duration.subtract(answerTimeout, waited)).pipe(
              Effect.flatMap((later) =>
                Option.match(Option.flatten(later), { onNone: () => unanswered, onSome: Effect.succeed })
              )
            ))

      const isHere = (guildId: GuildId): boolean => {
        const id = EntityId.make(guildId)
        return hasShardId(getShardId(id, GuildSearch.getShardGroup(id)))
      }

      return {
        search: (guildId, query) => isHere(guildId) ? here.search(guildId, query) : searchElsewhere(guildId, query),
        // The other server may have to build the index.
        canSearchAhead: (guildId) => isHere(guildId) && here.canSearchAhead(guildId)
      }
    })
  ).pipe(Layer.provideMerge(entities))
