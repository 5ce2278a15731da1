import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { FindMembers, FoundMembers, IndexQuestion } from "@community-messaging/member-index/FoundMembers"
import { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import { type RunnerAddress, Runners, Sharding } from "@effect/cluster"
import { RpcClient } from "@effect/rpc"
import { Cause, Duration, Effect, identity, Layer, Option, RcMap, type Scope } from "effect"
import * as ClusterMetrics from "./ClusterMetrics.ts"
import * as GuildOwners from "./GuildOwners.ts"
import { decodeAnswer, encodeQuestion, GuildSearch, SearchNotUnderstood } from "./GuildSearch.ts"
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

/** How long a connection to another server is kept that nobody uses. */
const CONNECTION_IDLE = Duration.minutes(3)

/** How often the log tells that another server is not understood, or that none answers. */
const UNANSWERED_LOGGED_EVERY = Duration.minutes(1)

type Found = Option.Option<FoundMembers>

/** Asks the server that has the guild's index once: none if it has not answered, or has the index no more. */
const asking = Effect.gen(function*() {
  const owners = yield* GuildOwners.make
  const protocol = yield* Runners.RpcClientProtocol
  const servers = yield* RcMap.make({
    lookup: (address: RunnerAddress.RunnerAddress) =>
      Effect.flatMap(
        protocol(address),
        (made) => Effect.provideService(RpcClient.make(GuildSearch, { disableTracing: true }), RpcClient.Protocol, made)
      ),
    idleTimeToLive: CONNECTION_IDLE
  })
  const sometimes = yield* LogLimit.make(UNANSWERED_LOGGED_EVERY)

  const misunderstood = (cause: unknown) =>
    sometimes(
      Effect.annotateLogs(
        Effect.logWarning("Another server has another version: searches of its guilds say that they are being indexed"),
        { cause: LoggedCause.describeError(cause) }
      )
    ).pipe(Effect.zipRight(Effect.fail(new SearchNotUnderstood())))

  const answerOf = (address: RunnerAddress.RunnerAddress, text: string) =>
    Effect.flatMap(RcMap.get(servers, address), (server) => server.Search(text)).pipe(
      Effect.scoped,
      Effect.flatMap(decodeAnswer),
      Effect.map(({ found }) => Option.some(found)),
      Effect.catchTags({
        ParseError: misunderstood,
        SearchNotUnderstood: misunderstood,
        SearchedElsewhere: () => Effect.succeedNone,
        // Its connection is not kept, or it would be tried again and again.
        RpcClientError: () => Effect.as(RcMap.invalidate(servers, address), Option.none())
      })
    )

  const answerTo = (guildId: GuildId, text: string) =>
    owners.of(guildId).pipe(
      Effect.catchTags({
        // These are of messages that are stored, and of more questions than there are guilds.
        AlreadyProcessingMessage: Effect.die,
        MailboxFull: Effect.die,
        PersistenceError: Effect.die
      }),
      Effect.flatMap((address) => answerOf(address, text)),
      // What the other server cannot decode at all is a defect.
      Effect.catchAllDefect(misunderstood)
    )

  return (
    question: IndexQuestion,
    patience: Duration.Duration
  ): Effect.Effect<Option.Option<Found>, StorageError | SearchNotUnderstood> =>
    Effect.flatMap(Effect.orDie(encodeQuestion(question)), (text) => answerTo(question.guildId, text)).pipe(
      // The other server is told that nobody waits any more, and may not answer that either.
      Effect.disconnect,
      Effect.timeoutTo({
        duration: Duration.min(ATTEMPT_TIMEOUT, patience),
        onSuccess: identity,
        onTimeout: Option.none
      }),
      Effect.catchAllCause((cause) => Cause.isInterruptedOnly(cause) ? Effect.succeedNone : Effect.failCause(cause)),
      Effect.tap((answer) => {
        if (Option.isNone(answer)) owners.forget(question.guildId)
      })
    )
})

/** Asks the index of a guild on another server until it answers, or until the deadline. */
const findElsewhere: Effect.Effect<
  FindMembers,
  never,
  Runners.RpcClientProtocol | Scope.Scope | Sharding.Sharding
> = Effect.map(Effect.all([asking, LogLimit.make(UNANSWERED_LOGGED_EVERY)]), ([ask, sometimes]) => {
  const unanswered = Effect.as(ClusterMetrics.countUnanswered, Option.none<FoundMembers>())
  const logUnanswered = sometimes(Effect.logWarning(
    "No other server answered a member search in time: do all reach one another at their CLUSTER_HOST and CLUSTER_PORT?"
  ))

  const askUntil = (
    question: IndexQuestion,
    deadline: number
  ): Effect.Effect<Found, StorageError | SearchNotUnderstood> =>
    Effect.suspend(() => {
      const left = deadline - performance.now()
      if (left <= 0) return Effect.zipRight(logUnanswered, unanswered)
      return Effect.flatMap(
        ask(question, Duration.millis(left)),
        Option.match({
          onNone: () => Effect.delay(askUntil(question, deadline), RETRY_INTERVAL),
          onSome: Effect.succeed
        })
      )
    })

  return (question, deadline) => Effect.catchTag(askUntil(question, deadline), "SearchNotUnderstood", () => unanswered)
})

/**
 * `MemberDirectory` over the indexes of all servers: a guild is searched on one server, so that its index is in memory once.
 * That server answers who is found. This one reads the members, and whether the index has seen all that is committed now, as
 * it does for an index of its own. If no server answers in time, `indexing` is true.
 */
export const layer = (
  answerTimeout: Duration.Duration = ANSWER_TIMEOUT
): Layer.Layer<MemberDirectory, never, MemberIndexes | Runners.RpcClientProtocol | Sharding.Sharding> =>
  Layer.scoped(
    MemberDirectory,
    Effect.gen(function*() {
      const { search, searchBy } = yield* MemberIndexes
      const searchElsewhere = searchBy(yield* findElsewhere, Duration.toMillis(answerTimeout))
      const sharding = yield* Sharding.Sharding
      return {
        search: (guildId, query) =>
          GuildOwners.isHere(sharding, guildId) ? search(guildId, query) : searchElsewhere(guildId, query)
      }
    })
  ).pipe(Layer.provideMerge(GuildOwners.layer))
