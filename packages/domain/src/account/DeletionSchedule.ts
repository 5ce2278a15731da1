import { DateTime, Duration, Either, Option, Schema } from "effect"
import { type Violation, violationsIn } from "../shared-kernel/Violation.ts"
import { type DeletionReasonCode, isDeleted, UnknownUser, type User, UserId } from "./User.ts"

/** The least and the most days from the request to the deletion. Source: API reference, Schedule account deletion. */
export const DAYS_UNTIL_DELETION = { minimum: 1, maximum: 365 } as const

/** Days from the request to the deletion. */
export const DaysUntilDeletion = Schema.Int.pipe(
  Schema.between(DAYS_UNTIL_DELETION.minimum, DAYS_UNTIL_DELETION.maximum),
  Schema.brand("DaysUntilDeletion")
)
export type DaysUntilDeletion = typeof DaysUntilDeletion.Type

/** Days until the deletion if the request does not specify them (API gaps, Deletion of an account). */
export const DEFAULT_DAYS_UNTIL_DELETION = DaysUntilDeletion.make(60)

/** An administrator's request to delete an account. */
export interface DeletionRequest {
  readonly reasonCode: DeletionReasonCode
  readonly publicReason: Option.Option<string>
  readonly daysUntilDeletion: DaysUntilDeletion
}

/** System accounts cannot be deleted. */
export class SystemAccountNotDeletable
  extends Schema.TaggedError<SystemAccountNotDeletable>()("SystemAccountNotDeletable", { userId: UserId })
{
  override get message(): string {
    return `Account ${this.userId} is a system account and cannot be deleted.`
  }
}

/** The account has no scheduled deletion. */
export class NoDeletionScheduled
  extends Schema.TaggedError<NoDeletionScheduled>()("NoDeletionScheduled", { userId: UserId })
{
  override get message(): string {
    return `No deletion of account ${this.userId} is scheduled.`
  }
}

/** Schedules the deletion for `now` + days × 24 h. Replaces a scheduled one. A deleted account is unknown. */
export const schedule = (
  user: User,
  request: DeletionRequest,
  now: DateTime.Utc
): Either.Either<User, SystemAccountNotDeletable | UnknownUser> => {
  if (isDeleted(user)) return Either.left(new UnknownUser({ userId: user.id }))
  if (user.system) return Either.left(new SystemAccountNotDeletable({ userId: user.id }))
  return Either.right({
    ...user,
    pendingDeletionAt: Option.some(DateTime.addDuration(now, Duration.days(request.daysUntilDeletion))),
    deletionReasonCode: Option.some(request.reasonCode),
    deletionPublicReason: request.publicReason
  })
}

/** Cancels the scheduled deletion. The account is as it was before. */
export const cancel = (user: User): Either.Either<User, NoDeletionScheduled> =>
  isDeleted(user) || Option.isNone(user.pendingDeletionAt)
    ? Either.left(new NoDeletionScheduled({ userId: user.id }))
    : Either.right({
      ...user,
      pendingDeletionAt: Option.none(),
      deletionReasonCode: Option.none(),
      deletionPublicReason: Option.none()
    })

/** Returns whether the deletion is due: from the scheduled millisecond on. */
export const isDue = (user: User, now: DateTime.Utc): boolean =>
  !isDeleted(user) &&
  Option.exists(user.pendingDeletionAt, (at) => DateTime.lessThanOrEqualTo(at, now))

/** How far the clock of the machine that deleted an account may be ahead. */
const CLOCK_DIFFERENCE = Duration.days(1)

const NEVER_DELETED = "must not be set: a system account cannot be deleted"

/** Returns the rules on deletion that an imported account breaks. */
export const violations = (user: User, now: DateTime.Utc): ReadonlyArray<Violation<User>> => {
  const { deletedAt, deletionPublicReason, deletionReasonCode, pendingDeletionAt, system } = user
  if (Option.isSome(deletedAt)) {
    const tomorrow = DateTime.addDuration(now, CLOCK_DIFFERENCE)
    return violationsIn([
      [!system, "deletedAt", NEVER_DELETED],
      [!DateTime.greaterThan(deletedAt.value, tomorrow), "deletedAt", "is in the future"]
    ])
  }
  const isScheduled = Option.isSome(pendingDeletionAt)
  const latest = DateTime.addDuration(now, Duration.days(DAYS_UNTIL_DELETION.maximum))
  return violationsIn([
    [!isScheduled || !system, "pendingDeletionAt", NEVER_DELETED],
    [
      !Option.exists(pendingDeletionAt, DateTime.greaterThan(latest)),
      "pendingDeletionAt",
      `is more than ${DAYS_UNTIL_DELETION.maximum} days in the future`
    ],
    [
      !isScheduled || Option.isSome(deletionReasonCode),
      "deletionReasonCode",
      "is required when a deletion is scheduled"
    ],
    [
      isScheduled || Option.isNone(deletionReasonCode),
      "deletionReasonCode",
      "must not be set when no deletion is scheduled"
    ],
    [
      isScheduled || Option.isNone(deletionPublicReason),
      "deletionPublicReason",
      "must not be set when no deletion is scheduled"
    ]
  ])
}
