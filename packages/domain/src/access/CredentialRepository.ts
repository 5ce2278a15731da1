import { Context, type DateTime, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { AccountStatus } from "../account/UserRepository.ts"
import type { CredentialId } from "../shared-kernel/CredentialId.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { BotToken, Credential } from "./Credential.ts"
import type { TokenDigest } from "./Token.ts"

/** Port: stores bot tokens and admin keys. Only the digest of a token is stored. */
export class CredentialRepository
  extends Context.Tag("@community-messaging/domain/CredentialRepository")<CredentialRepository, {
    /** Inserts a credential. Fails if another one has its digest. The account of a bot token must exist. */
    readonly insert: (credential: Credential) => Effect.Effect<void, StorageError>
    readonly find: (id: CredentialId) => Effect.Effect<Option.Option<Credential>, StorageError>
    /** Returns the credential with this digest, even if it is revoked. */
    readonly findByDigest: (digest: TokenDigest) => Effect.Effect<Option.Option<Credential>, StorageError>
    /** Returns the bot token with this digest, even if it is revoked, together with the status of its account. */
    readonly findBotToken: (
      digest: TokenDigest
    ) => Effect.Effect<Option.Option<{ readonly token: BotToken; readonly account: AccountStatus }>, StorageError>
    /** Returns credentials ordered by id, revoked ones included, starting after `after`. */
    readonly list: (options: {
      readonly after: Option.Option<CredentialId>
      readonly limit: number
    }) => Effect.Effect<ReadonlyArray<Credential>, StorageError>
    /** Revokes the credential. Does nothing if it is already revoked or does not exist. */
    readonly revoke: (id: CredentialId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Revokes all bot tokens of the account. */
    readonly revokeAllOfUser: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
  }>()
{}
