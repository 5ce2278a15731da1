import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { type Context, DateTime, Effect, FastCheck, Option, Runtime, type Scope } from "effect"
import * as Saved from "../Saved.ts"
import { allEvents, contents, join, scene } from "../world/Scene.ts"
import { START, type TwoServers, twoServers } from "../world/World.ts"
import { anyHappening } from "./AnyHappening.ts"
import * as Model from "./DueWorkModel.ts"
import type { Happening, Storage } from "./Happening.ts"
import { replay } from "./Replay.ts"

/** This test is many runs. In milliseconds. */
const LONG = 120_000

const ALL = { after: Option.none(), limit: 10_000 }

/** Three authors in a guild with a channel. */
const setting = Effect.gen(function*() {
  const { author, channel } = yield* scene()
  const others = yield* Effect.replicateEffect(Effect.suspend(() => Saved.user()), 2)
  yield* Effect.forEach(others, ({ id }) => join(channel.guildId, id))
  const storage: Storage = { channel, authors: [author, ...others], messages: [] }
  return storage
})

const millis = (at: Option.Option<DateTime.Utc>): number | undefined =>
  Option.getOrUndefined(Option.map(at, DateTime.toEpochMillis))

/** What can be seen of the messages and accounts in fact. */
const observed = ({ authors, channel, messages }: Storage) =>
  Effect.gen(function*() {
    const scheduledMessages = yield* ScheduledMessageRepository
    const users = yield* UserRepository
    const found = yield* scheduledMessages.list(ALL)
    const accounts = yield* users.list(ALL)
    const members = yield* (yield* MembershipRepository).list({ guildId: channel.guildId, ...ALL })
    return {
      messages: found.map(({ attempts, endedAt, id, nextAttemptAt, scheduledAt, status }) => ({
        number: messages.findIndex((message) => message.id === id),
        status,
        scheduledAt: DateTime.toEpochMillis(scheduledAt),
        attempts,
        nextAttemptAt: millis(nextAttemptAt),
        endedAt: millis(endedAt)
      })).toSorted((self, that) => self.number - that.number),
      accounts: authors.flatMap(({ id }) => accounts.filter((account) => account.id === id)).map((account) => ({
        deletionAt: millis(account.pendingDeletionAt),
        isDeleted: Option.isSome(account.deletedAt),
        isMember: members.some(({ userId }) => userId === account.id)
      })),
      nextDueAt: millis(yield* scheduledMessages.nextDueAt),
      nextDeletionAt: millis(yield* users.nextDeletionAt)
    }
  })

/** The numbers that contents are, in order. */
const numbers = (found: ReadonlyArray<string>) => found.map(Number).toSorted((self, that) => self - that)

/** What somebody knows who has read nothing but the events, beside what there is. */
const known = ({ channel }: Storage) =>
  Effect.gen(function*() {
    const told = replay(yield* allEvents)
    const stored = yield* (yield* ScheduledMessageRepository).list(ALL)
    return {
      statuses: stored.map(({ id, status }) => [id, status]),
      posted: numbers(yield* contents(channel.id)),
      told: { statuses: stored.map(({ id }) => [id, told.statuses.get(id)]), posted: numbers(told.posted) }
    }
  })

/** The model as happenings replace it. */
interface Told {
  model: Model.Model
}

/** The storage in fact, the servers that work on it, and what runs their effects. */
interface Fact {
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  readonly servers: TwoServers
  readonly storage: Storage
}

/** Does in fact what happens, and gives the answer; none where two servers at a time give one each. */
const happen = ({ inFact, server }: Happening, { servers, storage }: Fact, now: number) =>
  server === "both"
    ? Effect.as(
      Effect.all(
        [Effect.provide(inFact(storage, now), servers.first), Effect.provide(inFact(storage, now), servers.second)],
        { concurrency: "unbounded" }
      ),
      Option.none()
    )
    : Effect.asSome(Effect.provide(inFact(storage, now), servers[server]))

/** Lets something happen in the model and in fact, and holds one against the other. */
const command = (happening: Happening): FastCheck.AsyncCommand<Told, Fact> => ({
  toString: () => happening.name,
  check: ({ model }) => happening.isTold(model),
  run: (told, fact) => {
    const expected = happening.inModel(told.model)
    told.model = expected.model
    return fact.run(Effect.gen(function*() {
      const answer = yield* happen(happening, fact, expected.model.now)
      if (Option.isSome(answer)) expect(answer.value).toBe(expected.answer)
      const found = yield* Effect.provide(observed(fact.storage), fact.servers.first)
      expect(found).toEqual(Model.observed(expected.model))
    }))
  }
})

/** What was seen in the model, by which one may tell that runs in which nothing happened prove nothing. */
const sights = (model: Model.Model): ReadonlyArray<string> => [
  ...model.messages.map(({ removed, status }) => removed ? "removed" : status),
  ...model.accounts.flatMap(({ isDeleted }) => isDeleted ? ["deleted"] : [])
]

/**
 * That whatever happens in whatever order, on two servers that come to grief at times, a storage does what a plain model
 * does. The effect gives the two ways to the one storage, empty.
 */
export const dueWorkModelContract = <E>(
  ways: Effect.Effect<readonly [Context.Context<StoragePorts>, Context.Context<StoragePorts>], E, Scope.Scope>
) => {
  /** Lets all of it happen on an empty storage; gives what was seen at the end. */
  const story = (commands: Iterable<FastCheck.AsyncCommand<Told, Fact>>) =>
    Effect.gen(function*() {
      const servers = yield* twoServers(ways)
      const storage = yield* Effect.provide(setting, servers.first)
      const told: Told = { model: Model.initial(DateTime.toEpochMillis(START), storage.authors.length) }
      const real: Fact = { run: Runtime.runPromise(yield* Effect.runtime()), servers, storage }
      yield* Effect.promise(() => FastCheck.asyncModelRun(() => ({ model: told, real }), commands))

      const atLast = yield* Effect.provide(known(storage), servers.second)
      expect(atLast.posted).toEqual(Model.posted(told.model))
      expect(atLast.told).toEqual({ posted: atLast.posted, statuses: atLast.statuses })
      return sights(told.model)
    }).pipe(Effect.scoped)

  describe("promises about dates", () => {
    it.effect("are kept as a plain model keeps them, whatever happens in whatever order", () =>
      Effect.gen(function*() {
        const run = Runtime.runPromise(yield* Effect.runtime())
        const seen = new Set<string>()
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(
              FastCheck.commands([anyHappening.map(command)], { maxCommands: 80, size: "max" }),
              (commands) => run(Effect.map(story(commands), (sight) => sight.forEach((one) => seen.add(one))))
            ),
            { numRuns: 12 }
          )
        )
        expect([...seen].toSorted())
          .toEqual(["cancelled", "deleted", "failed", "invalid", "removed", "scheduled", "sent"])
      }), LONG)
  })
}
