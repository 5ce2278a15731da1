import { expect, it } from "@effect/vitest"
import { DateTime, Option } from "effect"
import { tombstone } from "../../src/account/Tombstone.ts"
import { create, User } from "../../src/account/User.ts"

const NOW = DateTime.unsafeMake("2027-03-01T12:00:00.500Z")

it.prop(
  "the tombstone of an account keeps its id, kind, flags and deletion fields, and nothing else",
  [User],
  ([user]) => {
    const { bot, deletionPublicReason, deletionReasonCode, flags, id, pendingDeletionAt, system } = user
    expect(tombstone(user, NOW)).toEqual({
      ...create({ id, username: `deleted-user-${id}`, bot, system }),
      flags,
      suspiciousActivityFlags: user.suspiciousActivityFlags,
      pendingDeletionAt,
      deletionReasonCode,
      deletionPublicReason,
      deletedAt: Option.some(NOW)
    })
  }
)
