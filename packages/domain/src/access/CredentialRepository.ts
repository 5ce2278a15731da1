import { Context, type DateTime, type Effect, type Option } from "effect"
import type { UserId } from "../account/User.ts"
import type { CredentialId } from "../shared-kernel/CredentialId.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { Credential } from "./Credential.ts"
import type { TokenDigest } from "./Token.ts"

/** Port: bot tokens and admin keys, by digest alone. */
export class CredentialRepository
  extends Context.Tag("@community-messaging/domain/CredentialRepository")<CredentialRepository, {
    /** Keeps a new credential. A bot token's account exists. */
    readonly insert: (credential: Credential) => Effect.Effect<void, StorageError>
    readonly find: (id: CredentialId) => Effect.Effect<Option.Option<Credential>, StorageError>
    /** The credential with that digest, a revoked one included. */
    readonly findByDigest: (digest: TokenDigest) => Effect.Effect<Option.Option<Credential>, StorageError>
    /** All credentials in the order of their ids, revoked ones included. */
    readonly list: Effect.Effect<ReadonlyArray<Credential>, StorageError>
    /** Revokes the credential, unless it was revoked before; one that is not there is no error. */
    readonly revoke: (id: CredentialId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
    /** Revokes all of the account's bot tokens. */
    readonly revokeAllOfUser: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
  }>()
{}
