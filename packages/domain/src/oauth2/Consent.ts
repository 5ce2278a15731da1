import { Duration, Schema } from "effect"
import { TokenDigest } from "../access/Token.ts"
import { UserId } from "../account/User.ts"
import { GuildId } from "../guild/Guild.ts"
import { Moment } from "../shared-kernel/Moment.ts"
import { optionalField } from "../shared-kernel/OptionalField.ts"
import { PermissionsFromString } from "../shared-kernel/Permissions.ts"
import { ApplicationId } from "./Application.ts"
import { Scope } from "./Scope.ts"

/** The access that a user gives an application. There is one per user and application; a new consent replaces it. */
export const Consent = Schema.Struct({
  userId: UserId,
  applicationId: ApplicationId,
  scopes: Schema.Array(Scope),
  permissions: PermissionsFromString,
  guildId: optionalField(GuildId),
  grantedAt: Moment
}).annotations({ identifier: "Consent" })
export interface Consent extends Schema.Schema.Type<typeof Consent> {}

/** How long an authorization code is valid (API gaps, OAuth2 consent; RFC 6749, 4.1.2). */
export const CODE_LIFETIME = Duration.minutes(10)

/** A single-use code that an application exchanges for an access token (RFC 6749, 1.3.1). Only its digest is stored. */
export const AuthorizationCode = Schema.Struct({
  digest: TokenDigest,
  applicationId: ApplicationId,
  userId: UserId,
  /** The redirect URI in the consent request; none if the request had none (RFC 6749, 4.1.3). */
  redirectUri: optionalField(Schema.String),
  scopes: Schema.Array(Scope),
  expiresAt: Schema.DateTimeUtc,
  redeemedAt: optionalField(Schema.DateTimeUtc)
}).annotations({ identifier: "AuthorizationCode" })
export interface AuthorizationCode extends Schema.Schema.Type<typeof AuthorizationCode> {}

/** The access that a redeemed code gave. Has the digests of the code and of the access token. */
export const AccessGrant = Schema.Struct({
  tokenDigest: TokenDigest,
  codeDigest: TokenDigest,
  applicationId: ApplicationId,
  userId: UserId,
  scopes: Schema.Array(Scope),
  createdAt: Schema.DateTimeUtc,
  revokedAt: optionalField(Schema.DateTimeUtc)
}).annotations({ identifier: "AccessGrant" })
export interface AccessGrant extends Schema.Schema.Type<typeof AccessGrant> {}
