import { Duration, Effect, Option, type Redacted, Schema } from "effect"
import { UserId } from "../account/User.ts"
import type { CredentialId } from "../shared-kernel/CredentialId.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import { traced } from "../shared-kernel/Traced.ts"
import { UseCase } from "../shared-kernel/UseCase.ts"
import type { AdminKey, Credential } from "./Credential.ts"
import { CredentialRepository } from "./CredentialRepository.ts"
import { digestsEqual, type TokenDigest } from "./Token.ts"
import { Tokens } from "./Tokens.ts"

/** How often a credential in use is checked. A revocation appends no event, and another process may make it. */
const REVOCATION_CHECK_INTERVAL = Duration.millis(500)

/** The token is malformed, unknown or revoked. */
export class InvalidCredentials extends Schema.TaggedError<InvalidCredentials>()("InvalidCredentials", {}) {
  override get message(): string {
    return "The token is malformed, unknown or revoked."
  }
}

/** The account is scheduled for deletion, so its tokens are rejected. */
export class AccountScheduledForDeletion
  extends Schema.TaggedError<AccountScheduledForDeletion>()("AccountScheduledForDeletion", { userId: UserId })
{
  override get message(): string {
    return `Account ${this.userId} is scheduled for deletion.`
  }
}

/** The account of a bot whose token is valid. `UserRepository` has its other fields. */
export interface AuthenticatedBot {
  readonly id: UserId
}

/** Finds the owner of a presented token. */
export class Authentication extends UseCase<Authentication, {
  /** Returns the bot account that owns the token. */
  readonly bot: (
    token: Redacted.Redacted
  ) => Effect.Effect<AuthenticatedBot, InvalidCredentials | AccountScheduledForDeletion | StorageError>
  /** Returns the admin key with this token. */
  readonly admin: (token: Redacted.Redacted) => Effect.Effect<AdminKey, InvalidCredentials | StorageError>
  /** Returns within a second after any process on the same storage revokes the credential. */
  readonly untilRevoked: (id: CredentialId) => Effect.Effect<void, StorageError>
}>()(
  "@community-messaging/domain/Authentication",
  Effect.gen(function*() {
    const credentials = yield* CredentialRepository
    const tokens = yield* Tokens

    const accepts = ({ digest, revokedAt }: Credential, presented: TokenDigest): boolean =>
      Option.isNone(revokedAt) && digestsEqual(digest, presented)

    return {
      bot: Effect.fnUntraced(function*(presented) {
        const digest = Option.getOrUndefined(tokens.digest("bot", presented))
        if (digest === undefined) return yield* new InvalidCredentials()
        const found = Option.getOrUndefined(yield* credentials.findBotToken(digest))
        if (found === undefined || !accepts(found.token, digest)) return yield* new InvalidCredentials()
        const { account, token: { userId } } = found
        if (account.deleted) return yield* new InvalidCredentials()
        if (account.scheduledForDeletion) return yield* new AccountScheduledForDeletion({ userId })
        return { id: userId }
      }, traced("Authentication.bot")),
      admin: Effect.fnUntraced(function*(presented) {
        const digest = Option.getOrUndefined(tokens.digest("admin", presented))
        if (digest === undefined) return yield* new InvalidCredentials()
        const found = Option.getOrUndefined(yield* credentials.findByDigest(digest))
        if (found?._tag !== "AdminKey" || !accepts(found, digest)) return yield* new InvalidCredentials()
        return found
      }, traced("Authentication.admin")),
      untilRevoked: (id) =>
        credentials.find(id).pipe(
          Effect.map(Option.exists(({ revokedAt }) => Option.isNone(revokedAt))),
          Effect.delay(REVOCATION_CHECK_INTERVAL),
          Effect.repeat({ while: (isValid) => isValid }),
          Effect.asVoid
        )
    }
  })
) {}
