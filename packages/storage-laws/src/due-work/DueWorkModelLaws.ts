import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect, it } from "@effect/vitest"
import { type Context, DateTime, Effect, FastCheck, Option, Runtime, type Scope } from "effect"
import * as Saved from "../Saved.ts"
import { type Happening, happening, type Storage } from "./DueWorkCommands.ts"
import * as Model from "./DueWorkModel.ts"
import { replay } from "./Replay.ts"
import { allEvents, contents, join, scene, storedUser } from "./Scene.ts"
import { START, type TwoServers, twoServers } from "./World.ts"

/** This law is many runs. In milliseconds. */
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
    const memberships = yield* MembershipRepository
    const found = yield* scheduledMessages.list(ALL)
    return {
      messages: found.map(({ attempts, endedAt, id, nextAttemptAt, scheduledAt, status }) => ({
        number: messages.findIndex((message) => message.id === id),
        status,
        scheduledAt: DateTime.toEpochMillis(scheduledAt),
        attempts,
        nextAttemptAt: millis(nextAttemptAt),
        endedAt: millis(endedAt)
      })).toSorted((self, that) => self.number - that.number),
      posted: (yield* contents(channel.id)).map(Number).toSorted((self, that) => self - that),
      accounts: yield* Effect.forEach(authors, ({ id }) =>
        Effect.gen(function*() {
          const { deletedAt, pendingDeletionAt } = yield* storedUser(id)
          return {
            deletionAt: millis(pendingDeletionAt),
            isDeleted: Option.isSome(deletedAt),
            member: Option.isSome(yield* memberships.find(channel.guildId, id))
          }
        })),
      nextDueAt: millis(yield* scheduledMessages.nextDueAt),
      nextDeletionAt: millis(yield* users.nextDeletionAt)
    }
  })

/** What somebody knows who has read nothing but the events, beside what is stored. */
const known = Effect.gen(function*() {
  const { posted, statuses } = replay(yield* allEvents)
  const stored = yield* (yield* ScheduledMessageRepository).list(ALL)
  return {
    stored: stored.map(({ id, status }) => [id, status]),
    told: stored.map(({ id }) => [id, statuses.get(id)]),
    posted: posted.map(Number).toSorted((self, that) => self - that)
  }
})

/**
 * That whatever happens in whatever order, on two servers that come to grief at times, a storage does what a plain model
 * does. The effect gives the two ways to the one storage, empty.
 */
export const dueWorkModelLaws = <E>(
  ways: Effect.Effect<readonly [Context.Context<StoragePorts>, Context.Context<StoragePorts>], E, Scope.Scope>
) =>
  describe("promises about dates", () => {
    it.effect("are kept as a plain model keeps them, whatever happens in whatever order", () =>
      Effect.gen(function*() {
        const tell = Runtime.runPromise(yield* Effect.runtime())
        /** Statuses that were seen, so that nobody takes runs in which nothing happened for a proof. */
        const seen = new Set<string>()

        const command = (happens: Happening): FastCheck.AsyncCommand<Told, Fact> => ({
          toString: () => happens.name,
          check: ({ model }) => happens.isTold(model),
          run: (told, { run, servers, storage }) => {
            const expected = happens.inModel(told.model)
            told.model = expected.model
            const effect = Effect.gen(function*() {
              expect(yield* happens.inFact(storage, expected.model.now)).toBe(expected.answer)
              expect(yield* observed(storage)).toEqual(Model.observed(expected.model))
            })
            for (const { status } of expected.model.messages) seen.add(status)
            for (const { isDeleted } of expected.model.accounts) if (isDeleted) seen.add("deleted")
            return run(Effect.provide(effect, servers[happens.server]))
          }
        })

        const story = (commands: Iterable<FastCheck.AsyncCommand<Told, Fact>>) =>
          Effect.gen(function*() {
            const servers = yield* twoServers(ways)
            const storage = yield* Effect.provide(setting, servers.first)
            const run = Runtime.runPromise(yield* Effect.runtime())
            const model = Model.initial(DateTime.toEpochMillis(START), storage.authors.length)
            yield* Effect.promise(() =>
              FastCheck.asyncModelRun(() => ({ model: { model }, real: { run, servers, storage } }), commands)
            )
            const { posted, stored, told } = yield* Effect.provide(known, servers.second)
            expect(told).toEqual(stored)
            expect(posted).toEqual((yield* Effect.provide(observed(storage), servers.second)).posted)
          }).pipe(Effect.scoped)

        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(
              FastCheck.commands([happening.map(command)], { maxCommands: 80, size: "max" }),
              (commands) => tell(story(commands))
            ),
            { numRuns: 20, seed: 20_270_301 }
          )
        )
        expect([...seen].toSorted()).toEqual(["cancelled", "deleted", "failed", "invalid", "scheduled", "sent"])
      }), LONG)
  })

/** The model as commands replace it. */
interface Told {
  model: Model.Model
}

/** The storage in fact, and the servers that work on it. */
interface Fact {
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  readonly servers: TwoServers
  readonly storage: Storage
}
