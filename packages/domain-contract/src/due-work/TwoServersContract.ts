import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import type { ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import type { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import type { BatchResult } from "@community-messaging/domain/shared-kernel/BatchResult"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import type { StoragePorts } from "@community-messaging/domain/StoragePorts"
import { describe, expect } from "@effect/vitest"
import { Array as Arrays, Effect, Option, type Scope } from "effect"
import * as Saved from "../Saved.ts"
import { testsOnTwoServers } from "../TestsOver.ts"
import {
  allEvents,
  armPending,
  contents,
  deleteDue,
  dispatch,
  join,
  keep,
  saying,
  scene,
  scheduleDeletion,
  startPlus
} from "../world/Scene.ts"
import * as Time from "../world/Time.ts"
import type { TwoConnections, TwoServers, UseCases } from "../world/World.ts"

/** Concurrent workers of each server. */
const FIBERS = 8

/** The same for work without claims: all of them do the same items, and all but one in vain. */
const FIBERS_WITHOUT_CLAIMS = 2

/** Handles due work, a few items at a time, until none is left. Returns the count. */
const drain = <E, R>(work: (limit: number) => Effect.Effect<BatchResult, E, R>) =>
  Effect.iterate({ done: 0, claimed: 1 }, {
    while: ({ claimed }) => claimed > 0,
    body: ({ done }) => Effect.map(work(7), (batch) => ({ done: done + batch.done, claimed: batch.claimed }))
  })

/** Runs the effect on both servers, several times concurrently on each. */
const onBoth = <A, E>(
  { first, second }: TwoServers,
  effect: Effect.Effect<A, E, UseCases | StoragePorts>,
  fibers = FIBERS
) =>
  Effect.all(
    Arrays.flatMap([first, second], (server) => Arrays.replicate(Effect.provide(effect, server), fibers)),
    { concurrency: "unbounded" }
  )

/** Authors in one guild with one channel, each with `messages` messages for the next day. */
const crowd = (authors: number, messages: number, changes: Partial<ScheduledMessage> = {}) =>
  Effect.gen(function*() {
    const { atomically } = yield* UnitOfWork
    const { channel } = yield* scene()
    const made = yield* atomically(Effect.forEach(Arrays.range(1, authors), (number) =>
      Effect.gen(function*() {
        const author = yield* Saved.user()
        yield* join(channel.guildId, author.id)
        const scheduled = yield* Effect.forEach(
          Arrays.range(1, messages),
          (message) =>
            keep({ author, channel }, {
              scheduledAt: startPlus("1 day"),
              payload: saying(`${number}.${message}`),
              ...changes
            })
        )
        return { id: author.id, scheduled }
      })))
    return { authors: made.map(({ id }) => id), channel, messages: made.flatMap(({ scheduled }) => scheduled) }
  })

/** Like `crowd`, but the accounts of the authors are deleted the next day. */
const leavingCrowd = (authors: number, messages: number) =>
  Effect.tap(crowd(authors, messages), (made) => Effect.forEach(made.authors, (id) => scheduleDeletion(id, 1)))

/** The messages that changed to the status according to the events, once for each event. */
const toldOf = (events: ReadonlyArray<DomainEvent>, status: ScheduledMessageStatus) =>
  events.flatMap((event) =>
    event._tag === "scheduled_message.updated" && event.status === status ? [event.scheduledMessageId] : []
  ).toSorted()

const idsOf = (messages: ReadonlyArray<ScheduledMessage>) => messages.map(({ id }) => id).toSorted()

const contentsOf = (messages: ReadonlyArray<ScheduledMessage>) =>
  messages.map(({ payload }) => Option.getOrThrow(payload.content)).toSorted()

const allDone = (batches: ReadonlyArray<{ readonly done: number }>) => batches.reduce((all, { done }) => all + done, 0)

/**
 * Two servers that share a storage have the same effect as one server. The connections are to one empty storage: the same
 * connection twice if only one process can use the storage.
 */
export const twoServersContract = <E>(
  connections: TwoConnections<E, Scope.Scope>
) =>
  // A race that is lost once in a while is a fault, so a failed test does not run a second time.
  describe("two concurrent servers", { retry: 0 }, () => {
    const it = testsOnTwoServers(connections)

    it("post 120 due messages, each exactly once", function*(servers) {
      const { channel, messages } = yield* Effect.provide(crowd(3, 40), servers.first)
      yield* Time.adjust("1 day")
      expect(allDone(yield* onBoth(servers, drain(dispatch)))).toBe(120)

      const events = yield* Effect.provide(allEvents, servers.second)
      const found = yield* Effect.provide(contents(channel.id), servers.second)
      expect(found.toSorted()).toEqual(contentsOf(messages))
      expect(events.filter(({ _tag }) => _tag === "message.created").length).toBe(120)
      expect(toldOf(events, "sent")).toEqual(idsOf(messages))
    })

    it("check 120 pending messages, each exactly once", function*(servers) {
      const { messages } = yield* Effect.provide(crowd(3, 40, { status: "pending" }), servers.first)
      expect(allDone(yield* onBoth(servers, drain(armPending), FIBERS_WITHOUT_CLAIMS))).toBe(120)
      const events = yield* Effect.provide(allEvents, servers.second)
      expect(toldOf(events, "scheduled")).toEqual(idsOf(messages))
    })

    it("delete 50 due accounts, each exactly once", function*(servers) {
      const { authors, messages } = yield* Effect.provide(leavingCrowd(50, 2), servers.first)
      yield* Time.adjust("1 day")
      expect(allDone(yield* onBoth(servers, drain(deleteDue)))).toBe(50)

      const events = yield* Effect.provide(allEvents, servers.second)
      const accounts = (type: "user.deleted" | "member.left") =>
        events.flatMap((event) => event._tag === type ? [event.userId] : []).toSorted()
      expect(accounts("user.deleted")).toEqual(authors.toSorted())
      expect(accounts("member.left")).toEqual(authors.toSorted())
      expect(toldOf(events, "cancelled")).toEqual(idsOf(messages))
    })
  })
