import { Context, type DateTime, type Effect, type Option } from "effect"
import type { TokenDigest } from "../access/Token.ts"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { ApplicationId } from "./Application.ts"
import type { AccessGrant, AuthorizationCode, Consent } from "./Consent.ts"

/** Port: stores consents, authorization codes and access grants. */
export class ConsentRepository extends Context.Tag("@community-messaging/domain/ConsentRepository")<ConsentRepository, {
  readonly find: (
    userId: UserId,
    applicationId: ApplicationId
  ) => Effect.Effect<Option.Option<Consent>, StorageError>
  /** Inserts the consent, or replaces that of the same user and application. */
  readonly save: (consent: Consent) => Effect.Effect<void, StorageError>
  /** Returns consents ordered by user id, then application id, starting after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<{ readonly userId: UserId; readonly applicationId: ApplicationId }>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Consent>, StorageError>
  /** Inserts a code. */
  readonly insertCode: (code: AuthorizationCode) => Effect.Effect<void, StorageError>
  readonly findCode: (digest: TokenDigest) => Effect.Effect<Option.Option<AuthorizationCode>, StorageError>
  /**
   * Marks the code as redeemed. Returns true to exactly one caller; false if it is already redeemed or does not exist.
   */
  readonly redeemCode: (digest: TokenDigest, at: DateTime.Utc) => Effect.Effect<boolean, StorageError>
  /** Removes up to `limit` codes that expired before this moment. Returns the count. */
  readonly removeCodesExpiredBefore: (moment: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
  /** Inserts a grant. */
  readonly insertGrant: (grant: AccessGrant) => Effect.Effect<void, StorageError>
  /** Returns the grant with this access token, even if it is revoked. */
  readonly findGrant: (tokenDigest: TokenDigest) => Effect.Effect<Option.Option<AccessGrant>, StorageError>
  /**
   * Revokes the grants that the application got for the code. Works also after the code is removed, because a grant
   * stores the digest of its code.
   */
  readonly revokeGrantsOfCode: (options: {
    readonly codeDigest: TokenDigest
    readonly applicationId: ApplicationId
    readonly at: DateTime.Utc
  }) => Effect.Effect<void, StorageError>
  /** Removes the user's consents and codes and revokes the grants. */
  readonly removeAllOfUser: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
}>() {}
