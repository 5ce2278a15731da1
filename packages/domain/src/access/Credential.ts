import { Schema } from "effect"
import { UserId } from "../account/User.ts"
import { CredentialId } from "../shared-kernel/CredentialId.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { TokenDigest } from "./Token.ts"

/** A right that an admin key may hold; `*` stands for all (API gaps, Credentials). */
export const AccessControl = Schema.Literal("user:delete", "user:update:email", "events:read", "audit:read", "*")
export type AccessControl = typeof AccessControl.Type

const issued = {
  id: CredentialId,
  digest: TokenDigest,
  createdAt: Schema.DateTimeUtc,
  revokedAt: optionalField(Schema.DateTimeUtc)
}

/** A token with which a bot account calls the service. */
export const BotToken = Schema.TaggedStruct("BotToken", { ...issued, userId: UserId })
export type BotToken = typeof BotToken.Type

/** What an admin key is for, in words: no white space around it. */
export const AdminKeyName = Schema.NonEmptyTrimmedString.annotations({
  message: () => ({ message: "must not be blank, nor have white space around it", override: true })
})

/** A key for the administrative operations that its access controls name. */
export const AdminKey = Schema.TaggedStruct("AdminKey", {
  ...issued,
  name: AdminKeyName,
  acls: Schema.Array(AccessControl)
})
export type AdminKey = typeof AdminKey.Type

/** A bot token or an admin key, without its secret. */
export const Credential = Schema.Union(BotToken, AdminKey)
export type Credential = typeof Credential.Type

/** Whether the key holds the right, by name or by `*`. */
export const allows = (key: AdminKey, acl: AccessControl): boolean => key.acls.includes("*") || key.acls.includes(acl)

/** No such bot token or admin key. */
export class UnknownCredential
  extends Schema.TaggedError<UnknownCredential>()("UnknownCredential", { credentialId: CredentialId })
{}
