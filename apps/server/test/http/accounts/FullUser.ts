import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { DateTime, Effect, Option } from "effect"

/** The stored account. */
export const stored = (userId: string) =>
  Effect.gen(function*() {
    const users = yield* UserRepository
    return Option.getOrThrow(yield* Effect.orDie(users.find(UserId.make(userId))))
  })

/** The time of all events of a full account. */
export const moment = DateTime.unsafeMake("2001-02-03T04:05:06.007Z")
/** The same, in ISO 8601. */
export const iso = "2001-02-03T04:05:06.007Z"

/** The account with a value in every field. */
export const withEverything = (user: User): User => ({
  ...user,
  flags: 1n << 60n,
  avatar: Option.some("avatar"),
  banner: Option.some("banner"),
  bio: Option.some("bio"),
  pronouns: Option.some("they"),
  accentColor: Option.some(0xff0000),
  email: Option.some(EmailAddress.make(`person.${user.id}@example.test`)),
  emailVerified: Option.some(true),
  emailBounced: Option.some(true),
  phone: Option.some("+123"),
  dateOfBirth: Option.some("1815-12-10"),
  locale: Option.some("en-GB"),
  premiumType: Option.some(2),
  premiumSince: Option.some(moment),
  premiumUntil: Option.some(moment),
  suspiciousActivityFlags: 3,
  tempBannedUntil: Option.some(moment),
  pendingBulkMessageDeletionAt: Option.some(moment),
  acls: ["a"],
  traits: ["t"],
  hasTotp: true,
  authenticatorTypes: [0, 1],
  lastActiveAt: Option.some(moment),
  lastActiveIp: Option.some("192.0.2.1"),
  lastActiveIpReverse: Option.some("host.example"),
  lastActiveLocation: Option.some("Berlin")
})
