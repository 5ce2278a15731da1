import { Either, Option, Schema } from "effect"
import { maxCodePoints } from "../shared-kernel/CodePointLength.ts"
import { Int32 } from "../shared-kernel/Integer.ts"
import { Moment } from "../shared-kernel/Moment.ts"
import { Name } from "../shared-kernel/Name.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Snowflake } from "../shared-kernel/Snowflake.ts"
import { EmailAddress } from "./EmailAddress.ts"

/** Identifies an account. */
export const UserId = Snowflake.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

/** The smallest and the largest code for the reason of a deletion. Source: API reference, Schedule account deletion. */
export const DELETION_REASON_CODES = { minimum: 0, maximum: 2_147_483_647 } as const

/** A code for the reason of a deletion. */
export const DeletionReasonCode = Schema.Int.pipe(
  Schema.between(DELETION_REASON_CODES.minimum, DELETION_REASON_CODES.maximum, {
    message: () => `must be ${DELETION_REASON_CODES.minimum} to ${DELETION_REASON_CODES.maximum}`
  }),
  Schema.brand("DeletionReasonCode")
)
export type DeletionReasonCode = typeof DeletionReasonCode.Type

/** The number that distinguishes accounts with the same name, 0 to 9999. Shown with four digits. */
export const Discriminator = Schema.Int.pipe(
  Schema.between(0, 9999, { message: () => "must be 0 to 9999" }),
  Schema.brand("Discriminator")
)
export type Discriminator = typeof Discriminator.Type

/** The public reason for a deletion, at most 512 characters. */
export const PublicReason = Schema.String.pipe(maxCodePoints(512))

/**
 * The maximum length of a username, a global name and a nickname, in characters. The index of member search has
 * every suffix of them, and sorts suffixes that begin alike.
 */
const MAX_NAME_LENGTH = 256

/** A username. */
export const Username = Name.pipe(maxCodePoints(MAX_NAME_LENGTH))

/** The name that an account shows to others, or a member to a guild. */
export const DisplayName = Schema.String.pipe(maxCodePoints(MAX_NAME_LENGTH))

const Bits = Schema.NonNegativeBigInt

/**
 * An account: a person, a bot or the system itself. Source: API reference, User.
 *
 * `deletedAt` is set on a tombstone: the remains of a deleted account.
 */
export const User = Schema.Struct({
  id: UserId,
  username: Username,
  discriminator: Discriminator,
  globalName: optionalField(DisplayName),
  bot: Schema.Boolean,
  system: Schema.Boolean,
  flags: Bits,
  avatar: optionalField(Schema.String),
  banner: optionalField(Schema.String),
  bio: optionalField(Schema.String),
  pronouns: optionalField(Schema.String),
  accentColor: optionalField(Int32),
  email: optionalField(EmailAddress),
  emailVerified: optionalField(Schema.Boolean),
  emailBounced: optionalField(Schema.Boolean),
  phone: optionalField(Schema.String),
  dateOfBirth: optionalField(Schema.String),
  locale: optionalField(Schema.String),
  premiumType: optionalField(Int32),
  premiumSince: optionalField(Moment),
  premiumUntil: optionalField(Moment),
  suspiciousActivityFlags: Int32,
  tempBannedUntil: optionalField(Moment),
  pendingDeletionAt: optionalField(Moment),
  pendingBulkMessageDeletionAt: optionalField(Moment),
  deletionReasonCode: optionalField(DeletionReasonCode),
  deletionPublicReason: optionalField(PublicReason),
  acls: Schema.Array(Schema.String),
  traits: Schema.Array(Schema.String),
  hasTotp: Schema.Boolean,
  authenticatorTypes: Schema.Array(Int32),
  lastActiveAt: optionalField(Moment),
  lastActiveIp: optionalField(Schema.String),
  lastActiveIpReverse: optionalField(Schema.String),
  lastActiveLocation: optionalField(Schema.String),
  deletedAt: optionalField(Moment)
}).annotations({ identifier: "User" })
export interface User extends Schema.Schema.Type<typeof User> {}

/** Returns a new account with this name and default values for all other fields. */
export const create = (options: {
  readonly id: UserId
  readonly username: string
  readonly discriminator?: number
  readonly globalName?: string
  readonly bot?: boolean
  readonly system?: boolean
  readonly email?: EmailAddress
}): User =>
  User.make({
    id: options.id,
    username: options.username,
    discriminator: Discriminator.make(options.discriminator ?? 0),
    globalName: Option.fromNullable(options.globalName),
    bot: options.bot ?? false,
    system: options.system ?? false,
    flags: 0n,
    email: Option.fromNullable(options.email),
    emailVerified: Option.map(Option.fromNullable(options.email), () => false),
    emailBounced: Option.map(Option.fromNullable(options.email), () => false),
    suspiciousActivityFlags: 0,
    acls: [],
    traits: [],
    hasTotp: false,
    authenticatorTypes: []
  })

/** Returns whether this is the tombstone of a deleted account. */
export const isDeleted = (self: User): boolean => Option.isSome(self.deletedAt)

/** Returns whether the account is scheduled for deletion. Its tokens are then rejected. */
export const isPendingDeletion = (self: User): boolean => !isDeleted(self) && Option.isSome(self.pendingDeletionAt)

/** The state of an account. The tokens of an account that is scheduled for deletion are rejected. */
export type AccountState = "active" | "scheduled for deletion" | "deleted"

/** Returns the state of the account. */
export const stateOf = (self: User): AccountState =>
  isDeleted(self) ? "deleted" : isPendingDeletion(self) ? "scheduled for deletion" : "active"

/** The account does not exist or is deleted. */
export class UnknownUser extends Schema.TaggedError<UnknownUser>()("UnknownUser", { userId: UserId }) {
  override get message(): string {
    return `There is no account ${this.userId}, or it is deleted.`
  }
}

/** Returns the account that was found, unless it is deleted. */
export const requireAccount = (userId: UserId, found: Option.Option<User>): Either.Either<User, UnknownUser> =>
  Either.fromOption(Option.filter(found, (user) => !isDeleted(user)), () => new UnknownUser({ userId }))
