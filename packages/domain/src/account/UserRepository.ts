import { Context, type DateTime, type Effect, type Option, Schema } from "effect"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { type AccountState, type User, UserId } from "./User.ts"

/** Another account has this e-mail address. Addresses are compared by `EmailAddress.uniquenessKey`. */
export class EmailAlreadyInUse extends Schema.TaggedError<EmailAlreadyInUse>()("EmailAlreadyInUse", {
  userId: UserId
}) {
  override get message(): string {
    return "Another account has the e-mail address."
  }
}

/** The properties of an account that matter to entities that refer to it. */
export interface AccountStatus {
  readonly bot: boolean
  /** Whether the account is a tombstone. */
  readonly deleted: boolean
  readonly scheduledForDeletion: boolean
}

/** Port: stores accounts. */
export class UserRepository extends Context.Tag("@community-messaging/domain/UserRepository")<UserRepository, {
  /** Returns the account, also if it is a tombstone; none if the id was never used. */
  readonly find: (id: UserId) => Effect.Effect<Option.Option<User>, StorageError>
  /** Like `find`, for callers that only refer to the account: takes a fraction of the time, and reads no personal data. */
  readonly findStatus: (id: UserId) => Effect.Effect<Option.Option<AccountStatus>, StorageError>
  /** Returns the accounts with these ids, each once, in any order. Accounts that do not exist are left out. */
  readonly findAll: (ids: ReadonlyArray<UserId>) => Effect.Effect<ReadonlyArray<User>, StorageError>
  /** Like `findStatus` for each id. Accounts that do not exist are left out. */
  readonly findStatuses: (
    ids: ReadonlyArray<UserId>
  ) => Effect.Effect<ReadonlyMap<UserId, AccountStatus>, StorageError>
  /** Inserts or updates the account. Its e-mail address must be unique among all accounts. */
  readonly save: (user: User) => Effect.Effect<void, EmailAlreadyInUse | StorageError>
  /**
   * Like `save`, for an account whose e-mail address stays the same or is removed, so that it cannot be in use by another
   * account. A storage may return before it has the result; if the write fails, so does the unit of work.
   */
  readonly saveWithoutNewEmail: (user: User) => Effect.Effect<void, StorageError>
  /**
   * Saves the accounts in this order, in fewer round trips than one by one. Saves none, and returns false, if another
   * account has the e-mail address of one of them.
   */
  readonly saveAll: (users: ReadonlyArray<User>) => Effect.Effect<boolean, StorageError>
  /** Returns accounts ordered by id, starting after `after`; with `state`, only those in that state. */
  readonly list: (options: {
    readonly after: Option.Option<UserId>
    readonly limit: number
    readonly state?: AccountState
  }) => Effect.Effect<ReadonlyArray<User>, StorageError>
  /**
   * Claims up to `limit` accounts whose deletion is due at `now`, soonest first; those of an ended claim may come later.
   * Only one claimant gets each account, until `leaseUntil`; after that, another claimant can claim it.
   */
  readonly claimDueDeletions: (options: {
    readonly now: DateTime.Utc
    readonly leaseUntil: DateTime.Utc
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<UserId>, StorageError>
  /** The earliest moment at which a deletion can be claimed: its due date, or the end of another claimant's lease. */
  readonly nextDeletionAt: Effect.Effect<Option.Option<DateTime.Utc>, StorageError>
  /** Returns how many deletions can be claimed at `now`, at most `limit`. */
  readonly countDueDeletions: (now: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
}>() {}
