import { describe, expect, it } from "@effect/vitest"
import { DateTime, Option, Schema } from "effect"
import { NoDeletionScheduled, SystemAccountNotDeletable } from "../../src/account/DeletionSchedule.ts"
import { EmailAddress } from "../../src/account/EmailAddress.ts"
import { create, DisplayName, stateOf, UnknownUser, UserId, Username } from "../../src/account/User.ts"
import { EmailAlreadyInUse } from "../../src/account/UserRepository.ts"

const ID = UserId.make("7")
const NOW = DateTime.unsafeMake("2027-03-01T12:00:00.000Z")

describe("a new account", () => {
  it("has only its name: it is not a bot, and has no rights and no address", () => {
    expect(create({ id: ID, username: "ann" })).toMatchObject({
      id: ID,
      username: "ann",
      discriminator: 0,
      globalName: Option.none(),
      bot: false,
      system: false,
      flags: 0n,
      email: Option.none(),
      emailVerified: Option.none(),
      emailBounced: Option.none(),
      suspiciousActivityFlags: 0,
      acls: [],
      traits: [],
      hasTotp: false,
      authenticatorTypes: [],
      deletedAt: Option.none()
    })
  })

  it("has an address that is neither verified nor known to bounce", () => {
    expect(create({ id: ID, username: "ann", email: EmailAddress.make("ann@mail.test") })).toMatchObject({
      email: Option.some("ann@mail.test"),
      emailVerified: Option.some(false),
      emailBounced: Option.some(false)
    })
  })
})

describe("a name by which members are found", () => {
  it.each([["a username", Username], ["a global name or a nickname", DisplayName]])(
    "has at most 256 characters: %s",
    (_, schema) => {
      const isName = Schema.is(schema)
      expect([isName("𝒶".repeat(256)), isName("a".repeat(257))]).toEqual([true, false])
    }
  )

  it("may be empty, except the username", () => {
    expect([Username, DisplayName].map((schema) => Schema.is(schema)(""))).toEqual([false, true])
  })
})

describe("an account", () => {
  const active = create({ id: ID, username: "ann" })

  it("is active, scheduled for deletion, or deleted", () => {
    const scheduled = { ...active, pendingDeletionAt: Option.some(NOW) }
    expect(stateOf(active)).toBe("active")
    expect(stateOf(scheduled)).toBe("scheduled for deletion")
    expect(stateOf({ ...scheduled, deletedAt: Option.some(NOW) })).toBe("deleted")
  })

  it("is named by its id in every error", () => {
    expect(
      [UnknownUser, SystemAccountNotDeletable, NoDeletionScheduled].map((Error) => new Error({ userId: ID }).message)
    )
      .toEqual([
        "There is no account 7, or it is deleted.",
        "Account 7 is a system account and cannot be deleted.",
        "No deletion of account 7 is scheduled."
      ])
    expect(new EmailAlreadyInUse({ userId: ID }).message).toBe("Another account has the e-mail address.")
  })
})
