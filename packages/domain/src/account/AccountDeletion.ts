import { DateTime, Duration, Either, Option, Schema } from "effect"
import { type Violation, violationsIn } from "../shared-kernel/Violation.ts"
import { type DeletionReasonCode, Discriminator, isDeleted, User, UserId } from "./User.ts"

const MAX_DAYS_UNTIL_DELETION = 365

/** Days from the request to the deletion, 1 to 365. Source: API reference, Schedule account deletion. */
export const DaysUntilDeletion = Schema.Int.pipe(
  Schema.between(1, MAX_DAYS_UNTIL_DELETION),
  Schema.brand("DaysUntilDeletion")
)
export type DaysUntilDeletion = typeof DaysUntilDeletion.Type

/** Days until the deletion when the request names none (API gaps, Deletion of an account). */
export const DEFAULT_DAYS_UNTIL_DELETION = DaysUntilDeletion.make(60)

/** What an administrator asks for. */
export interface DeletionRequest {
  readonly reasonCode: DeletionReasonCode
  readonly publicReason: Option.Option<string>
  readonly daysUntilDeletion: DaysUntilDeletion
}

/** A system account is never deleted. */
export class SystemAccountNotDeletable
  extends Schema.TaggedError<SystemAccountNotDeletable>()("SystemAccountNotDeletable", { userId: UserId })
{}

/** The account waits for no deletion. */
export class NoDeletionScheduled
  extends Schema.TaggedError<NoDeletionScheduled>()("NoDeletionScheduled", { userId: UserId })
{}

/** The account with its deletion scheduled: `now` + days × 24 h. A deletion scheduled before is replaced. */
export const schedule = (
  user: User,
  request: DeletionRequest,
  now: DateTime.Utc
): Either.Either<User, SystemAccountNotDeletable> =>
  user.system
    ? Either.left(new SystemAccountNotDeletable({ userId: user.id }))
    : Either.right({
      ...user,
      pendingDeletionAt: Option.some(DateTime.addDuration(now, Duration.days(request.daysUntilDeletion))),
      deletionReasonCode: Option.some(request.reasonCode),
      deletionPublicReason: request.publicReason
    })

/** The account as it was before its deletion was scheduled. */
export const cancel = (user: User): Either.Either<User, NoDeletionScheduled> =>
  isDeleted(user) || Option.isNone(user.pendingDeletionAt)
    ? Either.left(new NoDeletionScheduled({ userId: user.id }))
    : Either.right({
      ...user,
      pendingDeletionAt: Option.none(),
      deletionReasonCode: Option.none(),
      deletionPublicReason: Option.none()
    })

/** Whether the account's time has come: at the scheduled moment itself, not a millisecond earlier. */
export const isDue = (user: User, now: DateTime.Utc): boolean =>
  !isDeleted(user) &&
  Option.exists(user.pendingDeletionAt, (at) => DateTime.lessThanOrEqualTo(at, now))

/**
 * What is left of a deleted account: its id, flags and deletion fields. Personal data is erased, its e-mail address is
 * free for others (API gaps, Deletion of an account).
 */
export const tombstone = (user: User, now: DateTime.Utc): User =>
  User.make({
    id: user.id,
    username: `deleted-user-${user.id}`,
    discriminator: Discriminator.make(0),
    bot: user.bot,
    system: user.system,
    flags: user.flags,
    suspiciousActivityFlags: user.suspiciousActivityFlags,
    pendingDeletionAt: user.pendingDeletionAt,
    deletionReasonCode: user.deletionReasonCode,
    deletionPublicReason: user.deletionPublicReason,
    acls: [],
    traits: [],
    hasTotp: false,
    authenticatorTypes: [],
    deletedAt: Option.some(now)
  })

const NEVER_DELETED = "is given, and a system account is never deleted"

/** The rules that the deletion of an account breaks that is brought in as a whole. */
export const violations = (user: User, now: DateTime.Utc): ReadonlyArray<Violation<User>> => {
  const { deletedAt, deletionPublicReason, deletionReasonCode, pendingDeletionAt, system } = user
  if (Option.isSome(deletedAt)) return violationsIn([[!system, "deletedAt", NEVER_DELETED]])
  const isScheduled = Option.isSome(pendingDeletionAt)
  const latest = DateTime.addDuration(now, Duration.days(MAX_DAYS_UNTIL_DELETION))
  return violationsIn([
    [!isScheduled || !system, "pendingDeletionAt", NEVER_DELETED],
    [
      !Option.exists(pendingDeletionAt, DateTime.greaterThan(latest)),
      "pendingDeletionAt",
      `lies more than ${MAX_DAYS_UNTIL_DELETION} days ahead`
    ],
    [
      !isScheduled || Option.isSome(deletionReasonCode),
      "deletionReasonCode",
      "is missing, and a deletion is scheduled"
    ],
    [isScheduled || Option.isNone(deletionReasonCode), "deletionReasonCode", "is given, and no deletion is scheduled"],
    [
      isScheduled || Option.isNone(deletionPublicReason),
      "deletionPublicReason",
      "is given, and no deletion is scheduled"
    ]
  ])
}
