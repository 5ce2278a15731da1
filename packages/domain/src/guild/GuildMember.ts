import { Schema } from "effect"
import { Discriminator, type User } from "../account/User.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { Membership } from "./Membership.ts"

/** A member of a guild with the names of the account. Source: API reference, GuildMember. */
export const GuildMember = Schema.Struct({
  ...Membership.fields,
  username: Schema.NonEmptyString,
  discriminator: Discriminator,
  globalName: optionalField(Schema.String),
  isBot: Schema.Boolean
}).annotations({ identifier: "GuildMember" })
export interface GuildMember extends Schema.Schema.Type<typeof GuildMember> {}

/** Combines the membership with the names of its account. */
export const fromMembership = (membership: Membership, user: User): GuildMember => ({
  ...membership,
  username: user.username,
  discriminator: user.discriminator,
  globalName: user.globalName,
  isBot: user.bot
})
