import {
  MAX_UNDELIVERED_PER_USER,
  ScheduledMessage,
  violations
} from "@community-messaging/domain/scheduled-message/ScheduledMessage"
import { scheduledMessageUpdated } from "@community-messaging/domain/scheduled-message/ScheduledMessageEvents"
import { ScheduledMessageRepository } from "@community-messaging/domain/scheduled-message/ScheduledMessageRepository"
import { UNDELIVERED } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { MessagePayloadInput } from "@community-messaging/http-adapter/wire/MessagePayloadResource"
import { DateTime, Effect, Option, Schema } from "effect"
import { invalid, ofViolations } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

/** The record of a scheduled message: a ScheduledMessage of the API, its author and the state of its delivery. */
export const ScheduledMessageRecord = RecordSchema.make(
  Schema.Struct({ ...ScheduledMessage.fields, payload: MessagePayloadInput }),
  { status: "pending", attempts: 0 }
)

const same = Schema.equivalence(ScheduledMessage)

const insert = (message: ScheduledMessage) =>
  Effect.gen(function*() {
    const repository = yield* ScheduledMessageRepository
    if (UNDELIVERED.includes(message.status)) {
      const others = yield* repository.undelivered(message.authorId)
      if (others.length >= MAX_UNDELIVERED_PER_USER) {
        return yield* invalid("author_id", `has ${MAX_UNDELIVERED_PER_USER} undelivered messages, the maximum`)
      }
    }
    yield* repository.insert(message)
  })

const update = (before: ScheduledMessage, message: ScheduledMessage) =>
  Effect.flatMap(ScheduledMessageRepository, (repository) => repository.update(message, before.status)).pipe(
    Effect.catchTag(
      "ScheduledMessageConflict",
      () => invalid("status", `cannot change from ${before.status} to ${message.status}`)
    )
  )

/** Returns whether a pending record equals the stored message, apart from the check that the server made since. */
const isSameSinceChecked = (line: ScheduledMessage) => (there: ScheduledMessage): boolean =>
  line.status === "pending" && same(line, {
    ...there,
    status: "pending",
    statusReason: Option.none(),
    invalidatedAt: Option.none(),
    endedAt: Option.none(),
    attempts: 0,
    nextAttemptAt: Option.none()
  })

const save = (message: ScheduledMessage) =>
  Effect.gen(function*() {
    const repository = yield* ScheduledMessageRepository
    const events = yield* EventLog
    const references = yield* References.References
    const existing = yield* repository.find(message.id)
    if (Option.exists(existing, isSameSinceChecked(message))) return "unchanged" as const
    const live = UNDELIVERED.includes(message.status)
    // The channel need not exist: the message is then invalid or becomes so.
    yield* References.requireAll([
      Effect.succeed(ofViolations(violations(message, yield* DateTime.now))),
      references.user("author_id", message.authorId, { live })
    ])
    if (Option.exists(existing, ({ authorId }) => authorId !== message.authorId)) {
      return yield* invalid("author_id", "differs from the stored one: a message cannot move to another author")
    }
    return yield* RecordKind.outcome(existing, message, same, (before) =>
      Effect.zipRight(
        Option.match(before, { onNone: () => insert(message), onSome: (there) => update(there, message) }),
        events.append(scheduledMessageUpdated(message))
      ))
  })

/** The record kind of scheduled messages in any status. */
export const kind = RecordKind.make({
  kind: "scheduled_message",
  schema: ScheduledMessageRecord,
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(ScheduledMessageRepository, ({ list }) => RecordKind.pages(list, ({ id }) => id))
})
