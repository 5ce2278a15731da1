import { DateTime, Effect, Option, type Redacted, Schema } from "effect"
import { requireAccount, type UnknownUser, UserId } from "../account/User.ts"
import { UserRepository } from "../account/UserRepository.ts"
import { AuditLog } from "../audit/AuditLog.ts"
import type { AuditActor, AuditedFields } from "../audit/AuditRecord.ts"
import { CredentialId } from "../shared-kernel/CredentialId.ts"
import { toId } from "../shared-kernel/Snowflake.ts"
import { SnowflakeGenerator } from "../shared-kernel/SnowflakeGenerator.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UnitOfWork } from "../shared-kernel/UnitOfWork.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import { type AccessControl, AdminKey, BotToken, type Credential, UnknownCredential } from "./Credential.ts"
import { CredentialRepository } from "./CredentialRepository.ts"
import type { TokenKind } from "./Token.ts"
import { Tokens } from "./Tokens.ts"

/** The account is not a bot, so it cannot have a bot token. */
export class NotABot extends Schema.TaggedError<NotABot>()("NotABot", { userId: UserId }) {
  override get message(): string {
    return `Account ${this.userId} is not a bot.`
  }
}

/** A new credential with its token. The token cannot be read again later. */
export interface Issued<A extends Credential> {
  readonly credential: A
  readonly token: Redacted.Redacted
}

/** Issues and revokes bot tokens and admin keys. */
export class Credentials extends UseCase<Credentials, {
  /** Issues a token of a bot account, with an audit record. The token cannot be read again later. */
  readonly issueBotToken: (
    userId: UserId,
    actor: AuditActor
  ) => Effect.Effect<Issued<BotToken>, UnknownUser | NotABot | StorageError>
  /** Issues an admin key, with an audit record. The key cannot be read again later. Dies if the name is no `AdminKeyName`. */
  readonly issueAdminKey: (
    options: { readonly name: string; readonly acls: ReadonlyArray<AccessControl> },
    actor: AuditActor
  ) => Effect.Effect<Issued<AdminKey>, StorageError>
  /** Revokes the credential; revoking it again has no effect. */
  readonly revoke: (
    id: CredentialId,
    actor: AuditActor
  ) => Effect.Effect<Credential, UnknownCredential | StorageError>
}>()(
  "@community-messaging/domain/Credentials",
  Effect.gen(function*() {
    const credentials = yield* CredentialRepository
    const users = yield* UserRepository
    const audit = yield* AuditLog
    const { atomically, lock } = yield* UnitOfWork
    const snowflakes = yield* SnowflakeGenerator
    const tokens = yield* Tokens

    /** Stores a new credential with the digest of its token, and appends the audit record. */
    const issue = <A extends Credential>(
      kind: TokenKind,
      credentialOf: (issued: Pick<Credential, "id" | "digest" | "createdAt">) => A,
      actor: AuditActor,
      after: AuditedFields
    ) =>
      Effect.gen(function*() {
        const { digest, token } = yield* tokens.generate(kind)
        const at = yield* DateTime.now
        const credential = credentialOf({ id: toId(CredentialId, yield* snowflakes.next), digest, createdAt: at })
        yield* credentials.insert(credential)
        yield* audit.append({ actor, action: "credential.issue", targetId: credential.id, at, before: {}, after })
        return { credential, token }
      })

    return {
      issueBotToken: Effect.fnUntraced(
        function*(userId, actor) {
          // An erasure revokes only the tokens that are stored when it runs.
          yield* lock({ kind: "account", id: userId })
          const user = yield* requireAccount(userId, yield* users.find(userId))
          if (!user.bot) return yield* new NotABot({ userId })
          return yield* issue("bot", (issued) => BotToken.make({ ...issued, userId }), actor, {
            kind: "bot",
            user_id: userId
          })
        },
        atomically,
        traced("Credentials.issueBotToken")
      ),
      issueAdminKey: ({ acls, name }, actor) =>
        issue("admin", (issued) => AdminKey.make({ ...issued, name, acls }), actor, {
          kind: "admin",
          name,
          acls: acls.join(" ")
        }).pipe(atomically, traced("Credentials.issueAdminKey")),
      revoke: Effect.fnUntraced(
        function*(credentialId, actor) {
          const known = Option.getOrUndefined(yield* credentials.find(credentialId))
          // A bot token belongs to its account, which may be deleted at the same time.
          yield* lock(
            known?._tag === "BotToken"
              ? { kind: "account", id: known.userId }
              : { kind: "credential", id: credentialId }
          )
          const found = Option.getOrUndefined(yield* credentials.find(credentialId))
          if (found === undefined) return yield* new UnknownCredential({ credentialId })
          if (Option.isSome(found.revokedAt)) return found
          const at = yield* DateTime.now
          yield* credentials.revoke(credentialId, at)
          yield* audit.append({
            actor,
            action: "credential.revoke",
            targetId: credentialId,
            at,
            before: { revoked_at: null },
            after: { revoked_at: DateTime.formatIso(at) }
          })
          return { ...found, revokedAt: Option.some(at) }
        },
        atomically,
        traced("Credentials.revoke")
      )
    }
  })
) {}
