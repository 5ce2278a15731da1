import type { GuildId } from "@community-messaging/domain/guild/Guild"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import * as LoggedCause from "@community-messaging/domain/shared-kernel/LoggedCause"
import { realTime } from "@community-messaging/domain/shared-kernel/RealTime"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import type { FindMembers, FoundMembers, IndexQuestion } from "@community-messaging/member-index/FoundMembers"
import { MemberIndexes } from "@community-messaging/member-index/GuildIndexes"
import type * as RunnerAddress from "@effect/cluster/RunnerAddress"
import * as Runners from "@effect/cluster/Runners"
import * as Sharding from "@effect/cluster/Sharding"
import * as RpcClient from "@effect/rpc/RpcClient"
import { Cause, Duration, Effect, identity, Layer, Option, RcMap, type Scope } from "effect"
import * as LogLimit from "../telemetry/LogLimit.ts"
import * as ClusterMetrics from "./ClusterMetrics.ts"
import * as GuildOwners from "./GuildOwners.ts"
import { decodeAnswer, encodeQuestion, GuildSearch } from "./GuildSearch.ts"

/** The maximum time to wait for the server that has the guild's index. A guild that moves has no server for a second. */
export const ANSWER_TIMEOUT = Duration.seconds(5)

/**
 * The maximum time of one question. A server that stops may lose it, and asking again is safe: the other server continues to
 * build its index for the first question.
 */
const ATTEMPT_TIMEOUT = Duration.seconds(1)

/** How long to wait before asking again. */
const RETRY_INTERVAL = Duration.millis(100)

/** How long an unused connection to another server stays open. */
const CONNECTION_IDLE = Duration.minutes(3)

/** The minimum time between two log lines about servers that are not understood, or do not answer. */
const UNANSWERED_LOGGED_EVERY = Duration.minutes(1)

type Found = Option.Option<FoundMembers>

/** The result without a usable answer. */
const unanswered: Effect.Effect<Found> = Effect.as(ClusterMetrics.countUnanswered, Option.none())

/**
 * Queries the server that has the guild's index once: none if it does not answer, or no longer has the index. An answer of
 * another version has no result.
 */
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
        Effect.logWarning("Another server has another version: searches of its guilds report `indexing`"),
        { cause: LoggedCause.describeError(cause) }
      )
    ).pipe(Effect.zipRight(unanswered), Effect.asSome)

  const answerOf = (address: RunnerAddress.RunnerAddress, text: string) =>
    Effect.flatMap(RcMap.get(servers, address), (server) => server.Search(text)).pipe(
      Effect.scoped,
      Effect.flatMap(decodeAnswer),
      Effect.map(({ found }) => Option.some(found)),
      Effect.catchTags({
        ParseError: misunderstood,
        SearchNotUnderstood: misunderstood,
        SearchedElsewhere: () => Effect.succeedNone,
        // Removes the connection, which would otherwise be used again.
        RpcClientError: () => Effect.as(RcMap.invalidate(servers, address), Option.none())
      })
    )

  const answerTo = (guildId: GuildId, text: string) =>
    owners.of(guildId).pipe(
      Effect.catchTags({
        // These occur only with stored messages, and with more questions than guilds.
        AlreadyProcessingMessage: Effect.die,
        MailboxFull: Effect.die,
        PersistenceError: Effect.die
      }),
      Effect.flatMap((address) => answerOf(address, text)),
      // A message that the other server cannot decode at all is a defect.
      Effect.catchAllDefect(misunderstood)
    )

  return (question: IndexQuestion, timeout: Duration.Duration): Effect.Effect<Option.Option<Found>, StorageError> =>
    Effect.flatMap(Effect.orDie(encodeQuestion(question)), (text) => answerTo(question.guildId, text)).pipe(
      // Interruption sends a message to the other server, which may not answer that either.
      Effect.disconnect,
      Effect.timeoutTo({
        duration: Duration.min(ATTEMPT_TIMEOUT, timeout),
        onSuccess: identity,
        onTimeout: Option.none
      }),
      Effect.catchAllCause((cause) => Cause.isInterruptedOnly(cause) ? Effect.succeedNone : Effect.failCause(cause)),
      Effect.tap((answer) => {
        if (Option.isNone(answer)) owners.forget(question.guildId)
      })
    )
})

/** Queries the index of a guild on another server until it answers, or until the deadline. */
const findElsewhere: Effect.Effect<
  FindMembers,
  never,
  Runners.RpcClientProtocol | Scope.Scope | Sharding.Sharding
> = Effect.map(Effect.all([asking, LogLimit.make(UNANSWERED_LOGGED_EVERY)]), ([ask, sometimes]) => {
  const logUnanswered = sometimes(Effect.logWarning(
    "No other server answered a member search in time: do all reach one another at their CLUSTER_HOST and CLUSTER_PORT?"
  ))

  const askUntil = (question: IndexQuestion, deadline: number): Effect.Effect<Found, StorageError> =>
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

  // The deadline is a real time.
  return (question, deadline) => Effect.withClock(askUntil(question, deadline), realTime)
})

/**
 * `MemberDirectory` over the indexes of all servers: a guild is searched on one server, so that its index is in memory once.
 * That server returns the ids of the members. This one reads the members, and checks that the index includes all earlier
 * commits, as for its own indexes. If no server answers in time, `indexing` is true.
 */
export const layer = (
  answerTimeout: Duration.Duration = ANSWER_TIMEOUT
): Layer.Layer<MemberDirectory, never, MemberIndexes | Runners.RpcClientProtocol | Sharding.Sharding> =>
  Layer.scoped(
    MemberDirectory,
    Effect.gen(function*() {
      const { begin, beginBy } = yield* MemberIndexes
      const beginElsewhere = beginBy(yield* findElsewhere, Duration.toMillis(answerTimeout))
      const sharding = yield* Sharding.Sharding
      return {
        begin: (callerId, guildId) =>
          (GuildOwners.isHere(sharding, guildId) ? begin : beginElsewhere)(callerId, guildId)
      }
    })
  ).pipe(Layer.provideMerge(GuildOwners.layer))
