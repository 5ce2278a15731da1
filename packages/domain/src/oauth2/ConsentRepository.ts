import { Context, type DateTime, type Effect, type Option } from "effect"
import type { TokenDigest } from "../access/Token.ts"
import type { UserId } from "../account/User.ts"
import type { StorageError } from "../shared-kernel/StorageError.ts"
import type { ApplicationId } from "./Application.ts"
import type { AccessGrant, AuthorizationCode, Consent } from "./Consent.ts"

/** Port: consents, and the codes and grants that follow from them. */
export class ConsentRepository extends Context.Tag("@community-messaging/domain/ConsentRepository")<ConsentRepository, {
  readonly find: (
    userId: UserId,
    applicationId: ApplicationId
  ) => Effect.Effect<Option.Option<Consent>, StorageError>
  /** Keeps the consent; the earlier one of the same user and application is replaced. */
  readonly save: (consent: Consent) => Effect.Effect<void, StorageError>
  /** Consents in the order of user and application ids, beginning after `after`. */
  readonly list: (options: {
    readonly after: Option.Option<{ readonly userId: UserId; readonly applicationId: ApplicationId }>
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Consent>, StorageError>
  /** Keeps a new code. */
  readonly insertCode: (code: AuthorizationCode) => Effect.Effect<void, StorageError>
  readonly findCode: (digest: TokenDigest) => Effect.Effect<Option.Option<AuthorizationCode>, StorageError>
  /** Marks the code as redeemed; true for one caller alone, false when it was redeemed before or is not there. */
  readonly redeemCode: (digest: TokenDigest, at: DateTime.Utc) => Effect.Effect<boolean, StorageError>
  /** Removes codes that expired before that moment, at most `limit`; returns the count. */
  readonly removeCodesExpiredBefore: (moment: DateTime.Utc, limit: number) => Effect.Effect<number, StorageError>
  /** Keeps a new grant. */
  readonly insertGrant: (grant: AccessGrant) => Effect.Effect<void, StorageError>
  /** The grant with that access token, a revoked one included. */
  readonly findGrant: (tokenDigest: TokenDigest) => Effect.Effect<Option.Option<AccessGrant>, StorageError>
  /**
   * Revokes what the code gave that application, whether or not the code itself is still stored: a grant remembers its
   * code.
   */
  readonly revokeGrantsOfCode: (options: {
    readonly codeDigest: TokenDigest
    readonly applicationId: ApplicationId
    readonly at: DateTime.Utc
  }) => Effect.Effect<void, StorageError>
  /** Removes the user's consents and codes and revokes the grants that followed from them. */
  readonly removeAllOfUser: (userId: UserId, at: DateTime.Utc) => Effect.Effect<void, StorageError>
}>() {}
