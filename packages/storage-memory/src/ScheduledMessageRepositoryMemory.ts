import { dueAt, ScheduledMessage } from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import {
  ScheduledMessageConflict,
  ScheduledMessageRepository
} from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import {
  mayChange,
  type ScheduledMessageStatus,
  UNDELIVERED
} from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import * as Snowflake from "@community-messaging/domain/shared-kernel/Snowflake"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Effect, Either, Layer, Option, Order } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import * as DueQueue from "./DueQueue.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

/** Removes the message and its lease. */
const without = (tables: Tables, message: ScheduledMessage): Tables => ({
  ...tables,
  scheduledMessages: Table.remove(tables.scheduledMessages, message.id),
  scheduledMessagesDue: DueQueue.release(
    DueQueue.remove(tables.scheduledMessagesDue, dueAt(message), message.id),
    message.id
  ),
  scheduledMessagesOfAuthor: Table.remove(
    tables.scheduledMessagesOfAuthor,
    Table.keyOf(message.authorId, message.id)
  )
})

const withMessage = (tables: Tables, message: ScheduledMessage): Tables => ({
  ...tables,
  scheduledMessages: Table.set(tables.scheduledMessages, message.id, message),
  scheduledMessagesDue: message.status === "scheduled"
    ? DueQueue.add(tables.scheduledMessagesDue, dueAt(message), message.id)
    : tables.scheduledMessagesDue,
  scheduledMessagesOfAuthor: Table.set(
    tables.scheduledMessagesOfAuthor,
    Table.keyOf(message.authorId, message.id),
    message
  )
})

const insert = (tables: Tables, message: ScheduledMessage): Either.Either<Tables, StorageError> =>
  Either.gen(function*() {
    yield* requireThat(!Table.has(tables.scheduledMessages, message.id), "insert a scheduled message: its id is taken")
    yield* requireThat(
      Table.has(tables.users, message.authorId),
      "insert a scheduled message: its author does not exist"
    )
    return withMessage(tables, message)
  })

const update = (
  tables: Tables,
  message: ScheduledMessage,
  expected: ScheduledMessageStatus
): Either.Either<Tables, ScheduledMessageConflict> => {
  const stored = Option.getOrUndefined(Table.get(tables.scheduledMessages, message.id))
  return stored?.status === expected && mayChange(expected, message.status)
    ? Either.right(withMessage(without(tables, stored), message))
    : Either.left(new ScheduledMessageConflict({ scheduledMessageId: message.id, expected }))
}

const soonestFirst: Order.Order<ScheduledMessage> = Order.combine(
  Order.mapInput(DateTime.Order, ({ scheduledAt }: ScheduledMessage) => scheduledAt),
  Order.mapInput(Snowflake.compare, ({ id }: ScheduledMessage) => id)
)

const ofAuthor = (
  tables: Tables,
  authorId: ScheduledMessage["authorId"],
  statuses: ReadonlyArray<ScheduledMessageStatus>
): Array<ScheduledMessage> =>
  Table.withPrefix(tables.scheduledMessagesOfAuthor, Table.keyOf(authorId))
    .filter(({ status }) => statuses.includes(status))

const get = (tables: Tables, ids: ReadonlyArray<ScheduledMessage["id"]>): ReadonlyArray<ScheduledMessage> =>
  ids.flatMap((id) => Option.toArray(Table.get(tables.scheduledMessages, id)))

/** `ScheduledMessageRepository` in memory. */
export const layer: Layer.Layer<ScheduledMessageRepository, never, MemoryState> = Layer.effect(
  ScheduledMessageRepository,
  Effect.map(MemoryState, (state) => ({
    find: (id) => state.read(({ scheduledMessages }) => Table.get(scheduledMessages, id)),
    insert: requireValid(
      "insert a scheduled message",
      ScheduledMessage,
      (message) => state.update((tables) => insert(tables, message))
    ),
    update: requireValid(
      "update a scheduled message",
      ScheduledMessage,
      (message, expected: ScheduledMessageStatus) => state.update((tables) => update(tables, message, expected))
    ),
    undelivered: (authorId) => state.read((tables) => ofAuthor(tables, authorId, UNDELIVERED).sort(soonestFirst)),
    inStatus: ({ authorId, limit, statuses }) =>
      state.read((tables) => ofAuthor(tables, authorId, statuses).sort(Order.reverse(soonestFirst)).slice(0, limit)),
    list: ({ after, limit }) => state.read(({ scheduledMessages }) => Table.after(scheduledMessages, after, limit)),
    pending: ({ after, limit }) =>
      state.read(({ scheduledMessages }) =>
        Table.after(scheduledMessages, after, limit, ({ status }) => status === "pending").map(({ id }) => id)
      ),
    claimDue: (options) =>
      state.modify((tables) => {
        const [claimed, scheduledMessagesDue] = DueQueue.claim(tables.scheduledMessagesDue, options)
        const messages = get(tables, claimed).map(({ authorId, id }) => ({ id, authorId }))
        return Either.right([messages, { ...tables, scheduledMessagesDue }])
      }),
    nextDueAt: state.read(({ scheduledMessagesDue }) => DueQueue.nextAt(scheduledMessagesDue)),
    countDue: (now, limit) =>
      state.read(({ scheduledMessagesDue }) => DueQueue.count(scheduledMessagesDue, now, limit)),
    removeEndedBefore: (moment, limit) =>
      state.modify((tables) => {
        const isOld = DateTime.lessThan(moment)
        const ended = get(tables, Table.oldest(tables.scheduledMessages, ({ endedAt }) => endedAt, isOld, limit))
        return Either.right([ended.length, ended.reduce(without, tables)])
      })
  }))
)
