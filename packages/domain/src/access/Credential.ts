import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { CredentialId } from "../shared-kernel/CredentialId.ts"
import { Moment } from "../shared-kernel/Moment.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { TokenDigest } from "./Token.ts"

/** A permission that an admin key can have; `*` grants all (API gaps, Credentials). */
export const AccessControl = Schema.Literal("user:delete", "user:update:email", "events:read", "audit:read", "*")
export type AccessControl = typeof AccessControl.Type

const issued = {
  id: CredentialId,
  digest: TokenDigest,
  createdAt: Moment,
  revokedAt: optionalField(Moment)
}

/** The token that a bot account authenticates with. */
export const BotToken = Schema.TaggedStruct("BotToken", { ...issued, userId: UserId })
export type BotToken = typeof BotToken.Type

/** The name of an admin key, which describes its purpose. Trimmed and not empty. */
export const AdminKeyName = Schema.NonEmptyTrimmedString.annotations({
  message: () => ({ message: "must not be blank, and must not start or end with white space", override: true })
})

/** A key for the administrative operations that its access controls (`acls`) allow. */
export const AdminKey = Schema.TaggedStruct("AdminKey", {
  ...issued,
  name: AdminKeyName,
  acls: Schema.Array(AccessControl)
})
export type AdminKey = typeof AdminKey.Type

/** A bot token or an admin key, without its secret. */
export const Credential = Schema.Union(BotToken, AdminKey)
export type Credential = typeof Credential.Type

/** Returns whether the key has the access control, by name or by `*`. */
export const allows = (key: AdminKey, acl: AccessControl): boolean => key.acls.includes("*") || key.acls.includes(acl)

/** There is no bot token or admin key with this id. */
export class UnknownCredential
  extends Schema.TaggedError<UnknownCredential>()("UnknownCredential", { credentialId: CredentialId })
{
  override get message(): string {
    return `There is no bot token or admin key ${this.credentialId}.`
  }
}
