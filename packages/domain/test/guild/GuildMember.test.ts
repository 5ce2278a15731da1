import * as Samples from "@community-messaging/domain-contract/Samples"
import { fromMembership } from "@community-messaging/domain/guild/GuildMember"
import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"

describe("a member of a guild", () => {
  it("has the membership, and the names of the account", () => {
    const membership = Samples.membership()
    const user = Samples.user({ id: membership.userId, globalName: Option.some("Ada"), bot: true })
    expect(fromMembership(membership, user)).toEqual({
      ...membership,
      username: user.username,
      discriminator: user.discriminator,
      globalName: Option.some("Ada"),
      isBot: true
    })
  })
})
