import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { describe, expect, it } from "@effect/vitest"
import { DateTime, Effect, FastCheck, Option, Runtime, type Scope } from "effect"
import { FEW_RUNS } from "../Arbitraries.ts"
import * as Saved from "../Saved.ts"
import { allEvents, contents, join, scene } from "../world/Scene.ts"
import { START, type TwoConnections, type TwoServers, twoServers } from "../world/World.ts"
import { anyCommand } from "./AnyCommand.ts"
import type { Command, Storage } from "./Command.ts"
import * as Model from "./DueWorkModel.ts"
import { replay } from "./Replay.ts"

/** The timeout in milliseconds: this test runs many times. */
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

/** The observable state of the messages and accounts in the real storage. */
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

/** The contents as numbers, in order. */
const numbers = (found: ReadonlyArray<string>) => found.map(Number).toSorted((self, that) => self - that)

/** The state that a reader finds from the events alone, and the stored state. */
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

/** The current model, which commands replace. */
interface ModelState {
  model: Model.Model
}

/** The real storage, the servers that work on it, and the function that runs their effects. */
interface Real {
  readonly run: <A, E>(effect: Effect.Effect<A, E>) => Promise<A>
  readonly servers: TwoServers
  readonly storage: Storage
}

/** Runs the command on the real storage. Returns the result; none if two servers return one each. */
const runReal = ({ inReal, server }: Command, { servers, storage }: Real, now: number) =>
  server === "both"
    ? Effect.as(
      Effect.all(
        [Effect.provide(inReal(storage, now), servers.first), Effect.provide(inReal(storage, now), servers.second)],
        { concurrency: "unbounded" }
      ),
      Option.none()
    )
    : Effect.asSome(Effect.provide(inReal(storage, now), servers[server]))

/** Runs the command on the model and on the real storage, and compares both. */
const comparing = (command: Command): FastCheck.AsyncCommand<ModelState, Real> => ({
  toString: () => command.name,
  check: ({ model }) => command.precondition(model),
  run: (state, real) => {
    const expected = command.inModel(state.model)
    state.model = expected.model
    return real.run(Effect.gen(function*() {
      const answer = yield* runReal(command, real, expected.model.now)
      if (Option.isSome(answer)) expect(answer.value).toBe(expected.answer)
      const found = yield* Effect.provide(observed(real.storage), real.servers.first)
      expect(found).toEqual(Model.observed(expected.model))
    }))
  }
})

/**
 * After any commands in any order, on two servers with injected faults, a storage is in the state of a plain model. The
 * connections are to one empty storage.
 */
export const dueWorkModelContract = <E>(connections: TwoConnections<E, Scope.Scope>) => {
  /** Runs the commands on an empty storage. */
  const runAll = (commands: Iterable<FastCheck.AsyncCommand<ModelState, Real>>) =>
    Effect.gen(function*() {
      const servers = yield* twoServers(connections)
      const storage = yield* Effect.provide(setting, servers.first)
      const state: ModelState = { model: Model.initial(DateTime.toEpochMillis(START), storage.authors.length) }
      const real: Real = { run: Runtime.runPromise(yield* Effect.runtime()), servers, storage }
      yield* Effect.promise(() => FastCheck.asyncModelRun(() => ({ model: state, real }), commands))

      const atLast = yield* Effect.provide(known(storage), servers.second)
      expect(atLast.posted).toEqual(Model.posted(state.model))
      expect(atLast.told).toEqual({ posted: atLast.posted, statuses: atLast.statuses })
    }).pipe(Effect.scoped)

  describe("rules on due dates", () => {
    it.effect("give the state of a plain model, after any commands in any order", () =>
      Effect.gen(function*() {
        const run = Runtime.runPromise(yield* Effect.runtime())
        yield* Effect.promise(() =>
          FastCheck.assert(
            FastCheck.asyncProperty(
              FastCheck.commands([anyCommand.map(comparing)], { maxCommands: 80, size: "max" }),
              (commands) => run(runAll(commands))
            ),
            FEW_RUNS.fastCheck
          )
        )
      }), LONG)
  })
}
