import { describe, expect, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { EmailAddress } from "../../src/account/EmailAddress.ts"
import { tombstone } from "../../src/account/Tombstone.ts"
import { create, DeletionReasonCode, isDeleted, isPendingDeletion, User, UserId } from "../../src/account/User.ts"

const NOW = DateTime.unsafeMake("2027-03-01T12:00:00.500Z")

describe("the tombstone of an account", () => {
  /** An account with a value in every field that may be empty. */
  const full: User = {
    ...create({ id: UserId.make("7"), username: "ann", email: EmailAddress.make("ann@mail.test") }),
    pendingDeletionAt: Option.some(NOW),
    deletionReasonCode: Option.some(DeletionReasonCode.make(1)),
    deletionPublicReason: Option.some("Spam"),
    globalName: Option.some("Ann"),
    flags: 6n,
    suspiciousActivityFlags: 3,
    avatar: Option.some("avatar"),
    banner: Option.some("banner"),
    bio: Option.some("bio"),
    pronouns: Option.some("she/her"),
    accentColor: Option.some(0xff0000),
    emailVerified: Option.some(true),
    phone: Option.some("+4930123456"),
    dateOfBirth: Option.some("1990-01-01"),
    locale: Option.some("de"),
    premiumType: Option.some(2),
    premiumSince: Option.some(NOW),
    premiumUntil: Option.some(NOW),
    tempBannedUntil: Option.some(NOW),
    pendingBulkMessageDeletionAt: Option.some(NOW),
    acls: ["a"],
    traits: ["t"],
    hasTotp: true,
    authenticatorTypes: [1],
    lastActiveAt: Option.some(NOW),
    lastActiveIp: Option.some("192.0.2.1"),
    lastActiveIpReverse: Option.some("host.test"),
    lastActiveLocation: Option.some("Berlin")
  }
  const remains = tombstone(full, NOW)

  it("keeps id, kind, flags and the deletion fields, and nothing else that may be empty", () => {
    const { pendingDeletionAt, deletionReasonCode, deletionPublicReason } = full
    const kept = new Set(
      Object.entries(remains).flatMap(([name, value]) => Option.isOption(value) && Option.isSome(value) ? [name] : [])
    )
    expect(kept).toEqual(new Set(["pendingDeletionAt", "deletionReasonCode", "deletionPublicReason", "deletedAt"]))
    expect(remains).toMatchObject({
      id: full.id,
      bot: full.bot,
      system: full.system,
      flags: 6n,
      suspiciousActivityFlags: 3,
      pendingDeletionAt,
      deletionReasonCode,
      deletionPublicReason
    })
  })

  it("was made from an account with a value in every field", () => {
    const empty = Object.entries(full).flatMap(([name, value]) =>
      Option.isOption(value) && Option.isNone(value) ? [name] : []
    )
    expect(empty).toEqual(["deletedAt"])
  })

  it("has a name that shows only that it was deleted", () => {
    expect(remains.username).toBe("deleted-user-7")
    expect(remains.discriminator).toBe(0)
  })

  it("has no rights, no traits and no means of signing in", () => {
    expect(remains).toMatchObject({ acls: [], traits: [], hasTotp: false, authenticatorTypes: [] })
  })

  it("has the time of the deletion, and is no longer scheduled for it", () => {
    expect(remains.deletedAt).toEqual(Option.some(NOW))
    expect(isDeleted(remains)).toBe(true)
    expect(isPendingDeletion(remains)).toBe(false)
  })

  it.prop("does not depend on the other data of the account", { user: User }, ({ user }) => {
    const { bot, deletionPublicReason, deletionReasonCode, flags, id, pendingDeletionAt, system } = user
    const { suspiciousActivityFlags } = user
    const bare = {
      ...create({ id, username: "x", bot, system }),
      flags,
      suspiciousActivityFlags,
      pendingDeletionAt,
      deletionReasonCode,
      deletionPublicReason
    }
    expect(tombstone(user, NOW)).toEqual(tombstone(bare, NOW))
  })
})
