import { AdminKey, BotToken, Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { TokenDigest } from "@community-messaging/domain/access/Token"
import { Effect, Option, Schema } from "effect"
import { invalid } from "./InvalidRecord.ts"
import * as RecordKind from "./RecordKind.ts"
import * as RecordSchema from "./RecordSchema.ts"
import * as References from "./References.ts"

const digest = Schema.propertySignature(TokenDigest).pipe(Schema.fromKey("token_digest"))

/**
 * The record of a bot token or an admin key. It has the digest of the token, so the token remains valid after an
 * import.
 */
export const CredentialRecord = RecordSchema.make(Schema.Union(
  Schema.Struct({ ...BotToken.fields, _tag: RecordSchema.type("bot", "BotToken"), digest }),
  Schema.Struct({ ...AdminKey.fields, _tag: RecordSchema.type("admin", "AdminKey"), digest })
))

const same = Schema.equivalence(Credential)

/** Returns whether the change is allowed: a credential may only become revoked. */
const isAllowedChange = (before: Credential, after: Credential): boolean =>
  Option.isNone(before.revokedAt) && same({ ...after, revokedAt: Option.none() }, before)

const save = (credential: Credential) =>
  Effect.gen(function*() {
    const credentials = yield* CredentialRepository
    const references = yield* References.References
    if (credential._tag === "BotToken") {
      // A deleted bot may only have revoked tokens.
      const live = Option.isNone(credential.revokedAt)
      yield* References.requireAll([references.user("user_id", credential.userId, { bot: true, live })])
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
  saveAll: RecordKind.oneByOne(save),
  all: Effect.map(CredentialRepository, ({ list }) => RecordKind.pages(list, ({ id }) => id))
})
