import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { FindMembers, FoundMembers, IndexQuestion } from "@community-messaging/member-index/FoundMembers"
import { MemberIndexes, PATIENCE_MILLIS } from "@community-messaging/member-index/GuildIndexes"
import { EntityId, Sharding } from "@effect/cluster"
import { Cause, Duration, Effect, Layer, Option } from "effect"
import * as ClusterMetrics from "./ClusterMetrics.ts"
import {
  decodeAnswer,
  decodeQuestion,
  encodeAnswer,
  encodeQuestion,
  GuildSearch,
  SearchNotUnderstood
} from "./GuildSearch.ts"
import * as LogLimit from "./LogLimit.ts"

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

/** How often the log tells that another server is not understood. */
const MISUNDERSTANDINGS_LOGGED_EVERY = Duration.minutes(1)

/** The entities of the guilds whose indexes live here. */
const entities = GuildSearch.toLayer(
  Effect.map(MemberIndexes, ({ find }) =>
    GuildSearch.of({
      Search: ({ payload }) =>
        Effect.mapError(decodeQuestion(payload), () => new SearchNotUnderstood()).pipe(
          Effect.flatMap((question) => find(question, performance.now() + PATIENCE_MILLIS)),
          Effect.flatMap((found) => Effect.orDie(encodeAnswer({ found }))),
          // The cause may name tables and addresses, and tells the other server nothing.
          Effect.catchTag("StorageError", ({ operation }) => Effect.fail(new StorageError({ operation }))),
          // The other server takes a defect for a message that is not understood.
          Effect.catchAllDefect((defect) =>
            Effect.logError("A search for another server failed").pipe(
              Effect.annotateLogs({ cause: LoggedCause.describeError(defect) }),
              Effect.zipRight(Effect.fail(new StorageError({ operation: "search members" })))
            )
          )
        )
    })),
  { concurrency: "unbounded", mailboxCapacity: MAX_SEARCHES, disableFatalDefects: true }
)

type Found = Option.Option<FoundMembers>

/** Makes one question to the server that has the guild's index: none if it has not answered, or stopped meanwhile. */
const asking = Effect.gen(function*() {
  const guild = yield* GuildSearch.client
  const sometimes = yield* LogLimit.make(MISUNDERSTANDINGS_LOGGED_EVERY)

  const misunderstood = (cause: unknown) =>
    sometimes(
      Effect.annotateLogs(
        Effect.logWarning("Another server has another version: searches of its guilds say that they are being indexed"),
        { cause: LoggedCause.describeError(cause) }
      )
    ).pipe(Effect.zipRight(Effect.fail(new SearchNotUnderstood())))

  const answerTo = (guildId: GuildId, text: string) =>
    Effect.flatMap(guild(guildId).Search(text), decodeAnswer).pipe(
      // What the cluster itself does not understand is a defect.
      Effect.catchAllDefect(misunderstood),
      Effect.catchTags({
        MailboxFull: () => Effect.fail(new StorageError({ operation: "search members: too many searches" })),
        ParseError: misunderstood,
        SearchNotUnderstood: misunderstood,
        // These are of messages that are stored; searches are not.
        AlreadyProcessingMessage: Effect.die,
        PersistenceError: Effect.die
      })
    )

  return (
    question: IndexQuestion,
    patience: Duration.Duration
  ): Effect.Effect<Option.Option<Found>, StorageError | SearchNotUnderstood> =>
    Effect.flatMap(Effect.orDie(encodeQuestion(question)), (text) => answerTo(question.guildId, text)).pipe(
      Effect.map(({ found }) => found),
      // The other server is told that nobody waits any more, and may not answer that either.
      Effect.disconnect,
      Effect.timeoutOption(Duration.min(ATTEMPT_TIMEOUT, patience)),
      Effect.catchAllCause((cause) => Cause.isInterruptedOnly(cause) ? Effect.succeedNone : Effect.failCause(cause))
    )
})

/** Asks the index of a guild on another server until it answers, or until the deadline. */
const findElsewhere: Effect.Effect<FindMembers, never, Sharding.Sharding> = Effect.map(asking, (ask) => {
  const unanswered = Effect.as(ClusterMetrics.countUnanswered, Option.none<FoundMembers>())

  const askUntil = (
    question: IndexQuestion,
    deadline: number
  ): Effect.Effect<Found, StorageError | SearchNotUnderstood> =>
    Effect.suspend(() => {
      const left = deadline - performance.now()
      if (left <= 0) return unanswered
      return Effect.flatMap(
        ask(question, Duration.millis(left)),
        Option.match({
          onNone: () => Effect.delay(askUntil(question, deadline), RETRY_INTERVAL),
          onSome: Effect.succeed
        })
      )
    })

  return (question, deadline) =>
    Effect.catchTag(askUntil(question, deadline), "SearchNotUnderstood", () => unanswered)
})

/**
 * `MemberDirectory` over the indexes of all servers: a guild is searched on one server, so that its index is in memory once.
 * That server answers who is found. This one reads the members, and whether the index has seen all that is committed now, as
 * it does for an index of its own. If no server answers in time, `indexing` is true.
 */
export const layer = (
  answerTimeout: Duration.Duration = ANSWER_TIMEOUT
): Layer.Layer<MemberDirectory, never, MemberIndexes | Sharding.Sharding> =>
  Layer.effect(
    MemberDirectory,
    Effect.gen(function*() {
      const { search, searchBy } = yield* MemberIndexes
      const searchElsewhere = searchBy(yield* findElsewhere, Duration.toMillis(answerTimeout))
      const { getShardId, hasShardId } = yield* Sharding.Sharding
      return {
        search: (guildId, query) => {
          const id = EntityId.make(guildId)
          const isHere = hasShardId(getShardId(id, GuildSearch.getShardGroup(id)))
          return isHere ? search(guildId, query) : searchElsewhere(guildId, query)
        }
      }
    })
  ).pipe(Layer.provideMerge(entities))
