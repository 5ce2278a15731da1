import { GuildId } from "@community-messaging/domain/guild/Guild"
import { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import type { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { DateTime, Effect, Option, Schema } from "effect"
import { column, Instant, json, nullable } from "./Column.ts"
import type { Database } from "./Database.ts"
import { BEFORE_ALL_IDS } from "./Paging.ts"
import { attempt } from "./SqlFailure.ts"
import * as Table from "./Table.ts"

const ConsentRow = Schema.Struct({
  userId: column("user_id", Consent.fields.userId),
  applicationId: column("application_id", Consent.fields.applicationId),
  scopes: json(Consent.fields.scopes),
  permissions: Consent.fields.permissions,
  guildId: nullable("guild_id", GuildId),
  grantedAt: column("granted_at", Instant)
})

const CodeRow = Schema.Struct({
  digest: AuthorizationCode.fields.digest,
  applicationId: column("application_id", AuthorizationCode.fields.applicationId),
  userId: column("user_id", AuthorizationCode.fields.userId),
  redirectUri: nullable("redirect_uri", Schema.String),
  scopes: json(AuthorizationCode.fields.scopes),
  expiresAt: column("expires_at", Instant),
  redeemedAt: nullable("redeemed_at", Instant)
})

const GrantRow = Schema.Struct({
  tokenDigest: column("token_digest", AccessGrant.fields.tokenDigest),
  codeDigest: column("code_digest", AccessGrant.fields.codeDigest),
  applicationId: column("application_id", AccessGrant.fields.applicationId),
  userId: column("user_id", AccessGrant.fields.userId),
  scopes: json(AccessGrant.fields.scopes),
  createdAt: column("created_at", Instant),
  revokedAt: nullable("revoked_at", Instant)
})

const beforeAll = { userId: BEFORE_ALL_IDS, applicationId: BEFORE_ALL_IDS }

/** `ConsentRepository` in SQL. */
export const make = (
  { atomically, dialect, send, sql, write }: typeof Database.Service
): typeof ConsentRepository.Service => {
  const consents = Table.make({ send, sql }, {
    name: "consents",
    row: ConsentRow,
    key: ["user_id", "application_id"],
    snowflakes: ["user_id", "application_id", "guild_id"]
  })
  const codes = Table.make({ send, sql }, {
    name: "authorization_codes",
    row: CodeRow,
    key: ["digest"],
    snowflakes: ["application_id", "user_id"]
  })
  const grants = Table.make({ send, sql }, {
    name: "access_grants",
    row: GrantRow,
    key: ["token_digest"],
    snowflakes: ["application_id", "user_id"]
  })
  return {
    find: (userId, applicationId) =>
      attempt("find a consent")(consents.first`WHERE user_id = ${userId} AND application_id = ${applicationId}`),
    save: (consent) => write(attempt("save a consent")(consents.save(consent))),
    list: ({ after, limit }) => {
      const { applicationId, userId } = Option.getOrElse(after, () => beforeAll)
      return attempt("list consents")(consents.all`
        WHERE (user_id, application_id) > (${userId}, ${applicationId})
        ORDER BY consents.user_id, consents.application_id LIMIT ${limit}
      `)
    },
    insertCode: (code) => write(attempt("insert an authorization code")(codes.insert(code))),
    findCode: (digest) => attempt("find an authorization code")(codes.first`WHERE digest = ${digest}`),
    redeemCode: (digest, at) =>
      write(sql`
        UPDATE authorization_codes SET redeemed_at = ${DateTime.toEpochMillis(at)}
        WHERE digest = ${digest} AND redeemed_at IS NULL RETURNING 1
      `).pipe(
        Effect.map((redeemed) => redeemed.length > 0),
        attempt("redeem an authorization code")
      ),
    removeCodesExpiredBefore: (moment, limit) =>
      write(sql`
        WITH expired AS MATERIALIZED (
          SELECT digest FROM authorization_codes WHERE expires_at < ${DateTime.toEpochMillis(moment)}
          ORDER BY expires_at LIMIT ${limit} ${dialect.skipLocked}
        )
        DELETE FROM authorization_codes WHERE digest IN (SELECT expired.digest FROM expired) RETURNING 1
      `).pipe(
        Effect.map((removed) => removed.length),
        attempt("remove expired authorization codes")
      ),
    insertGrant: (grant) => write(attempt("insert a grant")(grants.insert(grant))),
    findGrant: (tokenDigest) => attempt("find a grant")(grants.first`WHERE token_digest = ${tokenDigest}`),
    revokeGrantsOfCode: ({ applicationId, at, codeDigest }) =>
      write(sql`
        UPDATE access_grants SET revoked_at = ${DateTime.toEpochMillis(at)}
        WHERE code_digest = ${codeDigest} AND application_id = ${applicationId} AND revoked_at IS NULL
      `).pipe(attempt("revoke a code's grants"), Effect.asVoid),
    removeAllOfUser: (userId, at) =>
      sql`DELETE FROM consents WHERE user_id = ${userId}`.pipe(
        Effect.zipRight(sql`DELETE FROM authorization_codes WHERE user_id = ${userId}`),
        Effect.zipRight(sql`
          UPDATE access_grants SET revoked_at = ${DateTime.toEpochMillis(at)}
          WHERE user_id = ${userId} AND revoked_at IS NULL
        `),
        atomically,
        attempt("remove an account's consents"),
        Effect.asVoid
      )
  }
}
