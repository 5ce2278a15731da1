import { AccessControl, AdminKeyName, Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { TokenDigest } from "@community-messaging/domain/access/Token"
import { UserId } from "@community-messaging/domain/account/User"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { Effect, Option, Schema, Stream } from "effect"
import { failOnProblems, invalid } from "./InvalidRecord.ts"
import { Moment, named, optionalNamed } from "./RecordField.ts"
import * as RecordKind from "./RecordKind.ts"
import { References } from "./References.ts"

const issued = {
  id: CredentialId,
  digest: named("token_digest", TokenDigest),
  createdAt: named("created_at", Moment),
  revokedAt: optionalNamed("revoked_at", Moment)
}

/**
 * The record of a bot token or an admin key. It has the digest of the token, so the token remains valid after an
 * import.
 */
export const CredentialRecord = Schema.transform(
  Schema.Union(
    Schema.Struct({ type: Schema.Literal("bot"), ...issued, userId: named("user_id", UserId) }),
    Schema.Struct({
      type: Schema.Literal("admin"),
      ...issued,
      name: AdminKeyName,
      acls: Schema.Array(AccessControl)
    })
  ),
  Schema.typeSchema(Credential),
  {
    strict: true,
    decode: ({ type: _type, ...record }) =>
      "userId" in record
        ? { _tag: "BotToken" as const, ...record }
        : { _tag: "AdminKey" as const, ...record },
    encode: ({ _tag, ...credential }) =>
      "userId" in credential
        ? { type: "bot" as const, ...credential }
        : { type: "admin" as const, ...credential }
  }
)

const same = Schema.equivalence(Credential)

/** Returns whether the change is allowed: a credential may only become revoked. */
const isAllowedChange = (before: Credential, after: Credential): boolean =>
  Option.isNone(before.revokedAt) && same({ ...after, revokedAt: Option.none() }, before)

const keep = (credential: Credential) =>
  Effect.gen(function*() {
    const credentials = yield* CredentialRepository
    const references = yield* References
    if (credential._tag === "BotToken") {
      // A deleted bot may only have revoked tokens.
      const live = Option.isNone(credential.revokedAt)
      yield* failOnProblems(yield* references.user("user_id", credential.userId, { bot: true, live }))
    }
    const existing = yield* credentials.find(credential.id)
    if (Option.isNone(existing) && Option.isSome(yield* credentials.findByDigest(credential.digest))) {
      return yield* invalid("token_digest", "belongs to another credential")
    }
    if (Option.exists(existing, (there) => !same(there, credential) && !isAllowedChange(there, credential))) {
      return yield* invalid("id", "a different or revoked credential with this id exists")
    }
    return yield* RecordKind.outcome(existing, credential, same, (before) =>
      Option.isNone(before)
        ? credentials.insert(credential)
        : Option.match(credential.revokedAt, {
          onNone: () => Effect.void,
          onSome: (at) => credentials.revoke(credential.id, at)
        }))
  })

/** The record kind of bot tokens and admin keys. */
export const kind = RecordKind.make({
  kind: "credential",
  schema: CredentialRecord,
  keepAll: RecordKind.oneByOne(keep),
  all: Stream.unwrap(Effect.map(CredentialRepository, ({ list }) => Stream.fromIterableEffect(list)))
})
