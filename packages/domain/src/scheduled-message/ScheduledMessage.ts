import { DateTime, Duration, Either, Option, Schema } from "effect"
import { UserId } from "../account/User.ts"
import { ChannelId } from "../guild/Channel.ts"
import { MessagePayload } from "../message/MessagePayload.ts"
import { Moment } from "../shared-kernel/Moment.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { type Violation, violationsIn } from "../shared-kernel/Violation.ts"
import { MAX_ATTEMPTS } from "./DeliveryAttempt.ts"
import { instantInWords, toInstant } from "./LocalTime.ts"
import { canFollow, ScheduledMessageStatus } from "./ScheduledMessageStatus.ts"
import { MAX_AHEAD } from "./ScheduleWindow.ts"

/** Identifies a scheduled message. */
export const ScheduledMessageId = Snowflake.pipe(Schema.brand("ScheduledMessageId"))
export type ScheduledMessageId = typeof ScheduledMessageId.Type

// Newer runtimes also accept an offset such as `+01:00` as a time zone; a name begins with a letter.
const isTimeZoneName = (text: string): boolean => /^[A-Za-z]/.test(text) && Option.isSome(DateTime.zoneMakeNamed(text))

/** The name of a time zone in the IANA database. */
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

/** Returns whether the date and the time exist: no 30 February, no 24:00. */
const isLocalDateTime = (text: string): boolean =>
  LOCAL_DATE_TIME.test(text) &&
  Option.exists(DateTime.make(`${text}Z`), (instant) => DateTime.formatIso(instant).startsWith(text))

/** A local date and time without offset: `2027-03-28T02:30:00`. Seconds and up to three decimals are optional. */
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

/** The maximum number of undelivered messages of an account (API gaps, Scheduled messages). */
export const MAX_UNDELIVERED_PER_USER = 100

/** A message that is posted at a later time. Source: API reference, ScheduledMessage. */
export const ScheduledMessage = Schema.Struct({
  id: ScheduledMessageId,
  authorId: UserId,
  channelId: ChannelId,
  scheduledAt: Moment,
  scheduledLocalAt: LocalDateTime,
  timezone: TimeZoneName,
  status: ScheduledMessageStatus,
  statusReason: optionalField(Schema.String),
  payload: MessagePayload,
  createdAt: Moment,
  invalidatedAt: optionalField(Moment),
  /** The number of delivery attempts so far. */
  attempts: Schema.NonNegativeInt.pipe(Schema.propertySignature, Schema.withConstructorDefault(() => 0)),
  /** The time of the next attempt after a failed one; none before the first attempt, which is at `scheduledAt`. */
  nextAttemptAt: optionalField(Moment),
  /** When the message was sent, cancelled, failed or became invalid. It is removed 31 days later. */
  endedAt: optionalField(Moment)
}).annotations({ identifier: "ScheduledMessage" })
export interface ScheduledMessage extends Schema.Schema.Type<typeof ScheduledMessage> {}

/** Returns when the message is due: at its next attempt, or at its scheduled time. */
export const dueAt = (message: ScheduledMessage): DateTime.Utc =>
  Option.getOrElse(message.nextAttemptAt, () => message.scheduledAt)

/** The transition table does not allow this change of status. */
export class IllegalScheduledMessageTransition
  extends Schema.TaggedError<IllegalScheduledMessageTransition>()("IllegalScheduledMessageTransition", {
    scheduledMessageId: ScheduledMessageId,
    from: ScheduledMessageStatus,
    to: ScheduledMessageStatus
  })
{
  override get message(): string {
    return `A scheduled message that is ${this.from} cannot become ${this.to}.`
  }
}

type Transitioned = Either.Either<ScheduledMessage, IllegalScheduledMessageTransition>

const transition = (
  message: ScheduledMessage,
  to: ScheduledMessageStatus,
  changes: Partial<Pick<ScheduledMessage, "statusReason" | "invalidatedAt" | "endedAt">>
): Transitioned =>
  canFollow(message.status, to)
    ? Either.right({ ...message, ...changes, status: to })
    : Either.left(
      new IllegalScheduledMessageTransition({ scheduledMessageId: message.id, from: message.status, to })
    )

/** Marks the message as scheduled, after its content and channel passed the check. */
export const arm = (message: ScheduledMessage): Transitioned => transition(message, "scheduled", {})

/** Marks the message as invalid: it cannot be posted. */
export const invalidate = (message: ScheduledMessage, reason: string, now: DateTime.Utc): Transitioned =>
  transition(message, "invalid", {
    statusReason: Option.some(reason),
    invalidatedAt: Option.some(now),
    endedAt: Option.some(now)
  })

/** Cancels the message, for its author or because the author's account is deleted. */
export const cancel = (message: ScheduledMessage, reason: Option.Option<string>, now: DateTime.Utc): Transitioned =>
  transition(message, "cancelled", { statusReason: reason, endedAt: Option.some(now) })

/** Removes the content of a message that was never posted, because its author's account is deleted. */
export const withoutContent = (message: ScheduledMessage): ScheduledMessage => ({
  ...message,
  payload: MessagePayload.make({})
})

/** Marks the message as sent. */
export const markSent = (message: ScheduledMessage, now: DateTime.Utc): Transitioned =>
  transition(message, "sent", { endedAt: Option.some(now) })

/** Marks the message as failed: all attempts failed. */
export const fail = (message: ScheduledMessage, reason: string, now: DateTime.Utc): Transitioned =>
  transition(message, "failed", { statusReason: Option.some(reason), endedAt: Option.some(now) })

/** Returns an invalid or failed message to pending after its author edited it. */
export const reopen = (message: ScheduledMessage): Transitioned =>
  transition(message, "pending", {
    statusReason: Option.none(),
    invalidatedAt: Option.none(),
    endedAt: Option.none()
  })

const ENDED: ReadonlySet<ScheduledMessageStatus> = new Set(["invalid", "failed", "sent", "cancelled"])

/** Returns the rules that an imported message breaks. */
export const violations = (
  message: ScheduledMessage,
  now: DateTime.Utc
): ReadonlyArray<Violation<ScheduledMessage>> => {
  const {
    attempts,
    createdAt,
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
  const tooFarAhead = `is more than ${Duration.toDays(MAX_AHEAD)} days in the future`
  // Time zone rules change: an ended message keeps the instant that was right at its time.
  const isRightInstant = hasEnded || DateTime.Equivalence(scheduledAt, toInstant(scheduledLocalAt, timezone))
  const others = violationsIn<ScheduledMessage>([
    [DateTime.lessThanOrEqualTo(scheduledAt, latest), "scheduledAt", tooFarAhead],
    [
      // It may have become due before the import; then it is posted late rather than never.
      status !== "pending" || DateTime.greaterThan(scheduledAt, createdAt),
      "scheduledAt",
      "must be after created_at when the message is pending"
    ],
    [!Option.exists(nextAttemptAt, DateTime.lessThan(scheduledAt)), "nextAttemptAt", "is before scheduled_at"],
    [!Option.exists(nextAttemptAt, DateTime.greaterThan(latest)), "nextAttemptAt", tooFarAhead],
    [attempts <= MAX_ATTEMPTS, "attempts", `is more than ${MAX_ATTEMPTS}`],
    [!Option.exists(endedAt, DateTime.greaterThan(latest)), "endedAt", tooFarAhead],
    [!hasEnded || Option.isSome(endedAt), "endedAt", `is required when the message is ${status}`],
    [hasEnded || Option.isNone(endedAt), "endedAt", `must not be set when the message is ${status}`],
    [status !== "invalid" || Option.isSome(invalidatedAt), "invalidatedAt", "is required when the message is invalid"],
    [
      status === "invalid" || status === "cancelled" || Option.isNone(invalidatedAt),
      "invalidatedAt",
      `must not be set when the message is ${status}`
    ],
    [
      (status !== "invalid" && status !== "failed") || Option.isSome(statusReason),
      "statusReason",
      `is required when the message is ${status}`
    ]
  ])
  return isRightInstant
    ? others
    : [{ field: "scheduledAt", reason: `must be ${instantInWords(scheduledLocalAt, timezone)}` }, ...others]
}
