import { dueAt, ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import {
  ScheduledMessageConflict,
  type ScheduledMessageRepository
} from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import {
  mayChange,
  type ScheduledMessageStatus,
  UNDELIVERED
} from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Either, Option, Order } from "effect"
import { claimableAt } from "./Claim.ts"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

/** Stores the message without a lease. */
const store = (tables: Tables, message: ScheduledMessage): void => {
  const ofAuthor = Table.keyOf(message.authorId, message.id)
  tables.scheduledMessages = Table.set(tables.scheduledMessages, message.id, message)
  tables.scheduledMessagesOfAuthor = Table.set(tables.scheduledMessagesOfAuthor, ofAuthor, message)
  tables.scheduledMessageLeases = Table.remove(tables.scheduledMessageLeases, message.id)
}

const remove = (tables: Tables, { authorId, id }: ScheduledMessage): void => {
  tables.scheduledMessages = Table.remove(tables.scheduledMessages, id)
  tables.scheduledMessagesOfAuthor = Table.remove(tables.scheduledMessagesOfAuthor, Table.keyOf(authorId, id))
  tables.scheduledMessageLeases = Table.remove(tables.scheduledMessageLeases, id)
}

const insert = (message: ScheduledMessage) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.gen(function*() {
    yield* requireThat(!Table.has(tables.scheduledMessages, message.id), "insert a scheduled message: its id is taken")
    yield* requireThat(
      Table.has(tables.users, message.authorId),
      "insert a scheduled message: its author does not exist"
    )
    store(tables, message)
  })

const update = (message: ScheduledMessage, expected: ScheduledMessageStatus) => (tables: Tables) =>
  Option.filter(
    Table.get(tables.scheduledMessages, message.id),
    ({ status }) => status === expected && mayChange(expected, message.status)
  ).pipe(
    Either.fromOption(() => new ScheduledMessageConflict({ scheduledMessageId: message.id, expected })),
    Either.map((stored) => {
      remove(tables, stored)
      store(tables, message)
    })
  )

const claimable = (tables: Readonly<Tables>) => (message: ScheduledMessage): Option.Option<DateTime.Utc> =>
  message.status === "scheduled"
    ? Option.some(claimableAt(dueAt(message), Table.get(tables.scheduledMessageLeases, message.id)))
    : Option.none()

const soonestFirst: Order.Order<ScheduledMessage> = Order.combine(
  Order.mapInput(DateTime.Order, ({ scheduledAt }: ScheduledMessage) => scheduledAt),
  Order.mapInput(Snowflake.compare, ({ id }: ScheduledMessage) => id)
)

const ofAuthor = (
  tables: Readonly<Tables>,
  authorId: ScheduledMessage["authorId"],
  statuses: ReadonlyArray<ScheduledMessageStatus>
): Array<ScheduledMessage> =>
  Table.withPrefix(tables.scheduledMessagesOfAuthor, Table.keyOf(authorId))
    .filter(({ status }) => statuses.includes(status))

const validScheduledMessage = requireValid(ScheduledMessage)

/** `ScheduledMessageRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof ScheduledMessageRepository.Service => ({
  find: (id) => state.read(({ scheduledMessages }) => Table.get(scheduledMessages, id)),
  insert: validScheduledMessage("insert a scheduled message", (message) => state.attempt(insert(message))),
  update: (message, expected) =>
    validScheduledMessage("update a scheduled message", (valid) => state.attempt(update(valid, expected)))(message),
  undelivered: (authorId) => state.read((tables) => ofAuthor(tables, authorId, UNDELIVERED).sort(soonestFirst)),
  inStatus: ({ authorId, limit, statuses }) =>
    state.read((tables) => ofAuthor(tables, authorId, statuses).sort(Order.reverse(soonestFirst)).slice(0, limit)),
  list: ({ after, limit }) => state.read(({ scheduledMessages }) => Table.after(scheduledMessages, after, limit)),
  pending: ({ after, limit }) =>
    state.read(({ scheduledMessages }) =>
      Table.after(scheduledMessages, after, limit, ({ status }) => status === "pending").map(({ id }) => id)
    ),
  claimDue: ({ leaseUntil, limit, now }) =>
    state.write((tables) => {
      const isDue = DateTime.lessThanOrEqualTo(now)
      const due = Table.oldest(tables.scheduledMessages, claimable(tables), isDue, limit)
      for (const [id] of due) {
        tables.scheduledMessageLeases = Table.set(tables.scheduledMessageLeases, id, leaseUntil)
      }
      return due.map(([id, { authorId }]) => ({ id, authorId }))
    }),
  nextDueAt: state.read((tables) => Table.earliest(tables.scheduledMessages, claimable(tables))),
  countDue: (now, limit) =>
    state.read((tables) =>
      Table.oldest(tables.scheduledMessages, claimable(tables), DateTime.lessThanOrEqualTo(now), limit).length
    ),
  removeEndedBefore: (moment, limit) =>
    state.write((tables) => {
      const isOld = DateTime.lessThan(moment)
      const ended = Table.oldest(tables.scheduledMessages, ({ endedAt }) => endedAt, isOld, limit)
      for (const [, message] of ended) remove(tables, message)
      return ended.length
    })
})
