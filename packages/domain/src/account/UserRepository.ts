import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { type User, UserId } from "./User.ts"

/** Another account has the e-mail address of this one. Addresses are compared by `EmailAddress.uniquenessKey`. */
export class EmailAlreadyInUse extends Schema.TaggedError<EmailAlreadyInUse>()("EmailAlreadyInUse", {
  userId: UserId
}) {}

/** Port: the accounts. */
export class UserRepository extends Context.Tag("@community-messaging/domain/UserRepository")<UserRepository, {
  /** The account, a tombstone included; none where no such id was ever used. */
  readonly find: (id: UserId) => Effect.Effect<Option.Option<User>, StorageError>
  /** Inserts or updates the account. Its e-mail address is unique among all accounts. */
  readonly save: (user: User) => Effect.Effect<void, EmailAlreadyInUse | StorageError>
  /** Accounts in the order of their ids, beginning after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<UserId>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<User>, StorageError>
  /**
   * Up to `limit` accounts whose deletion is due at `now`, soonest first, each given to one claimant alone until
   * `leaseUntil`. Who has not finished by then loses it to the next.
   */
  readonly claimDueDeletions: (options: {
    readonly now: DateTime.Utc
    readonly leaseUntil: DateTime.Utc
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<UserId>, StorageError>
  /** The earliest moment at which a deletion can be claimed: its due date, or the end of another claimant's lease. */
  readonly nextDeletionAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
}>() {}
