import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import type { MemberPage } from "@community-messaging/domain/member-search/MemberQuery"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { Sharding } from "@effect/cluster"
import { Duration, Effect, Layer } from "effect"
import * as ClusterMetrics from "./ClusterMetrics.ts"
import { decodePage, encodePage, GuildSearch } from "./GuildSearch.ts"

/** The maximum time to wait for the server that has the guild's index. While a guild moves, nobody has it for a second. */
export const ANSWER_TIMEOUT = Duration.seconds(5)

/** How long a guild's entity stays where it is although nobody searches. */
const MAX_IDLE_TIME = Duration.hours(6)

/** The maximum number of searches of a guild in progress. Others fail, and are answered 503. */
const MAX_SEARCHES = 1_000

/** The answer when the guild's index is nowhere: the caller tries again later. */
const BEING_INDEXED: MemberPage = { members: [], total: 0, indexing: true }

const entity = (maxIdleTime: Duration.Duration) =>
  GuildSearch.toLayer(
    Effect.map(MemberDirectory, ({ search }) =>
      GuildSearch.of({
        Search: ({ payload: { guildId, query } }) =>
          // The cause may name tables and addresses; the log of this server has it.
          search(guildId, query).pipe(
            Effect.mapError(({ operation }) => new StorageError({ operation })),
            Effect.flatMap((page) => Effect.orDie(encodePage(page)))
          )
      })),
    { maxIdleTime, concurrency: "unbounded", mailboxCapacity: MAX_SEARCHES, disableFatalDefects: true }
  )

/**
 * `MemberDirectory` over that of all servers: a guild is searched on one server, so that its index is in memory once. That
 * server reads what is committed when it searches, so that a search there sees what a search here would see. If no server
 * answers in time, `indexing` is true.
 */
export const layer = (
  { answerTimeout = ANSWER_TIMEOUT, maxIdleTime = MAX_IDLE_TIME }: {
    readonly answerTimeout?: Duration.Duration
    readonly maxIdleTime?: Duration.Duration
  } = {}
): Layer.Layer<MemberDirectory, never, MemberDirectory | Sharding.Sharding> =>
  Layer.effect(
    MemberDirectory,
    Effect.map(GuildSearch.client, (guild) => ({
      search: (guildId, query) =>
        guild(guildId).Search({ guildId, query }).pipe(
          Effect.flatMap((page) => Effect.orDie(decodePage(page))),
          Effect.catchTags({
            MailboxFull: () => Effect.fail(new StorageError({ operation: "search members: too many searches" })),
            // These are of messages that are stored; searches are not.
            AlreadyProcessingMessage: Effect.die,
            PersistenceError: Effect.die
          }),
          Effect.disconnect,
          Effect.timeoutTo({
            duration: answerTimeout,
            onSuccess: (page) => Effect.succeed(page),
            onTimeout: () => Effect.as(ClusterMetrics.countUnanswered, BEING_INDEXED)
          }),
          Effect.flatten
        )
    }))
  ).pipe(Layer.provideMerge(entity(maxIdleTime)), Layer.provide(Layer.effectDiscard(ClusterMetrics.register)))
