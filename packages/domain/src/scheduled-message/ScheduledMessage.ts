import { DateTime, Duration, Either, Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import { ChannelId } from "../guild/Channel.ts"
import { MessagePayload } from "../message/MessagePayload.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { type Violation, violationsIn } from "../shared-kernel/Violation.ts"
import { MAX_ATTEMPTS } from "./DeliveryAttempt.ts"
import { toInstant } from "./LocalTime.ts"
import { canFollow, ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"
import { MAX_AHEAD } from "./ScheduleWindow.ts"

/** Identifies a scheduled message. */
export const ScheduledMessageId = Snowflake.pipe(Schema.brand("ScheduledMessageId"))
export type ScheduledMessageId = typeof ScheduledMessageId.Type

// Newer runtimes also take an offset such as `+01:00` for a zone; a name begins with a letter.
const isTimeZoneName = (text: string): boolean => /^[A-Za-z]/.test(text) && Option.isSome(DateTime.zoneMakeNamed(text))

/** The name of a zone in the IANA time zone database. */
export const TimeZoneName = Schema.String.pipe(
  Schema.filter(isTimeZoneName, {
    message: () => "must be the name of an IANA time zone",
    arbitrary: () => (fc) => fc.constantFrom("UTC", "Europe/Berlin", "America/New_York", "Asia/Kathmandu")
  }),
  Schema.brand("TimeZoneName")
)
export type TimeZoneName = typeof TimeZoneName.Type

/** 2099-12-31T23:59:59Z, in Unix seconds. */
const LAST_ARBITRARY_SECOND = 4_102_444_799

const LOCAL_DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?$/

/** Whether the text names a day and a time that the calendar has: no 30 February, no 24:00. */
const isLocalDateTime = (text: string): boolean =>
  LOCAL_DATE_TIME.test(text) &&
  Option.exists(DateTime.make(`${text}Z`), (instant) => DateTime.formatIso(instant).startsWith(text.slice(0, 16)))

/** A wall-clock time without offset: `2027-03-28T02:30:00`, seconds and up to three decimals optional. */
export const LocalDateTime = Schema.String.pipe(
  Schema.filter(isLocalDateTime, {
    message: () => "must be a local date and time such as 2027-03-28T09:30:00",
    arbitrary: () => (fc) =>
      fc.integer({ min: 0, max: LAST_ARBITRARY_SECOND }).map((seconds) =>
        DateTime.formatIso(DateTime.unsafeMake(seconds * 1000)).slice(0, 19)
      )
  }),
  Schema.brand("LocalDateTime")
)
export type LocalDateTime = typeof LocalDateTime.Type

/** The most undelivered messages that an account may have at a time (API gaps, Scheduled messages). */
export const MAX_UNDELIVERED_PER_USER = 100

/** A message to be posted at a later time. Source: API reference, ScheduledMessage. */
export const ScheduledMessage = Schema.Struct({
  id: ScheduledMessageId,
  authorId: UserId,
  channelId: ChannelId,
  scheduledAt: Schema.DateTimeUtc,
  scheduledLocalAt: LocalDateTime,
  timezone: TimeZoneName,
  status: ScheduledMessageStatus,
  statusReason: optionalField(Schema.String),
  payload: MessagePayload,
  createdAt: Schema.DateTimeUtc,
  invalidatedAt: optionalField(Schema.DateTimeUtc),
  /** Deliveries attempted so far. */
  attempts: Schema.NonNegativeInt.pipe(Schema.propertySignature, Schema.withConstructorDefault(() => 0)),
  /** When delivery is tried again after an attempt that failed; none: at `scheduledAt`. */
  nextAttemptAt: optionalField(Schema.DateTimeUtc),
  /** When it was sent, cancelled, failed or became invalid: it is removed 31 days later. */
  endedAt: optionalField(Schema.DateTimeUtc)
}).annotations({ identifier: "ScheduledMessage" })
export interface ScheduledMessage extends Schema.Schema.Type<typeof ScheduledMessage> {}

/** When it is to be delivered: at its next attempt, or at its scheduled time. */
export const dueAt = (message: ScheduledMessage): DateTime.Utc =>
  Option.getOrElse(message.nextAttemptAt, () => message.scheduledAt)

/** The transition table does not allow this. */
export class IllegalScheduledMessageTransition
  extends Schema.TaggedError<IllegalScheduledMessageTransition>()("IllegalScheduledMessageTransition", {
    scheduledMessageId: ScheduledMessageId,
    from: ScheduledMessageStatus,
    to: ScheduledMessageStatus
  })
{}

type Transitioned = Either.Either<ScheduledMessage, IllegalScheduledMessageTransition>

const transition = (
  message: ScheduledMessage,
  to: ScheduledMessageStatus,
  changes: Partial<Pick<ScheduledMessage, "statusReason" | "invalidatedAt" | "endedAt" | "attempts" | "nextAttemptAt">>
): Transitioned =>
  canFollow(message.status, to)
    ? Either.right({ ...message, ...changes, status: to })
    : Either.left(
      new IllegalScheduledMessageTransition({ scheduledMessageId: message.id, from: message.status, to })
    )

/** Content and channel were checked: it will be posted at its time. */
export const arm = (message: ScheduledMessage): Transitioned => transition(message, "scheduled", {})

/** It can not be posted as it is. */
export const invalidate = (message: ScheduledMessage, reason: string, now: DateTime.Utc): Transitioned =>
  transition(message, "invalid", {
    statusReason: Option.some(reason),
    invalidatedAt: Option.some(now),
    endedAt: Option.some(now)
  })

/** Its author, or the deletion of the author's account, took it back. */
export const cancel = (message: ScheduledMessage, reason: Option.Option<string>, now: DateTime.Utc): Transitioned =>
  transition(message, "cancelled", { statusReason: reason, endedAt: Option.some(now) })

/** It was posted. */
export const markSent = (message: ScheduledMessage, now: DateTime.Utc): Transitioned =>
  transition(message, "sent", { endedAt: Option.some(now) })

/** All attempts were used up. */
export const fail = (message: ScheduledMessage, reason: string, now: DateTime.Utc): Transitioned =>
  transition(message, "failed", { statusReason: Option.some(reason), endedAt: Option.some(now) })

/** Its author edited it after it was invalid or had failed: it starts afresh. */
export const reopen = (message: ScheduledMessage): Transitioned =>
  transition(message, "pending", {
    statusReason: Option.none(),
    invalidatedAt: Option.none(),
    endedAt: Option.none(),
    attempts: 0,
    nextAttemptAt: Option.none()
  })

const ENDED: ReadonlySet<ScheduledMessageStatus> = new Set(["invalid", "failed", "sent", "cancelled"])

/** The rules that a message breaks that is brought in as a whole. */
export const violations = (
  message: ScheduledMessage,
  now: DateTime.Utc
): ReadonlyArray<Violation<ScheduledMessage>> => {
  const {
    attempts,
    endedAt,
    invalidatedAt,
    nextAttemptAt,
    scheduledAt,
    scheduledLocalAt,
    status,
    statusReason,
    timezone
  } = message
  const hasEnded = ENDED.has(status)
  const latest = DateTime.addDuration(now, MAX_AHEAD)
  const tooFarAhead = `lies more than ${Duration.toDays(MAX_AHEAD)} days ahead`
  return violationsIn([
    [
      // Time zones change: what has ended keeps the instant that it had by the rules of its day.
      hasEnded || DateTime.Equivalence(scheduledAt, toInstant(scheduledLocalAt, timezone)),
      "scheduledAt",
      `is not the moment at which clocks in ${timezone} show ${scheduledLocalAt}`
    ],
    [DateTime.lessThanOrEqualTo(scheduledAt, latest), "scheduledAt", tooFarAhead],
    [
      // One that is scheduled already may have become due meanwhile; it is posted late rather than never.
      status !== "pending" || DateTime.greaterThan(scheduledAt, now),
      "scheduledAt",
      "lies in the past, and the message is pending"
    ],
    [!Option.exists(nextAttemptAt, DateTime.lessThan(scheduledAt)), "nextAttemptAt", "lies before scheduled_at"],
    [!Option.exists(nextAttemptAt, DateTime.greaterThan(latest)), "nextAttemptAt", tooFarAhead],
    [attempts <= MAX_ATTEMPTS, "attempts", `is more than ${MAX_ATTEMPTS}`],
    [!Option.exists(endedAt, DateTime.greaterThan(latest)), "endedAt", tooFarAhead],
    [!hasEnded || Option.isSome(endedAt), "endedAt", `is missing, and the message is ${status}`],
    [hasEnded || Option.isNone(endedAt), "endedAt", `is given, and the message is ${status}`],
    [status !== "invalid" || Option.isSome(invalidatedAt), "invalidatedAt", "is missing, and the message is invalid"],
    [
      status === "invalid" || status === "cancelled" || Option.isNone(invalidatedAt),
      "invalidatedAt",
      `is given, and the message is ${status}`
    ],
    [
      (status !== "invalid" && status !== "failed") || Option.isSome(statusReason),
      "statusReason",
      `is missing, and the message is ${status}`
    ]
  ])
}
