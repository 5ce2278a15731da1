import { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import type { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Either, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const insertCode = (code: AuthorizationCode) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.map(requireThat(!Table.has(tables.codes, code.digest), "insert a code: its digest is taken"), () => {
    tables.codes = Table.set(tables.codes, code.digest, code)
  })

const insertGrant = (grant: AccessGrant) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.map(requireThat(!Table.has(tables.grants, grant.tokenDigest), "insert a grant: its digest is taken"), () => {
    tables.grants = Table.set(tables.grants, grant.tokenDigest, grant)
  })

const revokeGrants = (tables: Tables, which: (grant: AccessGrant) => boolean, at: DateTime.Utc): void => {
  for (const grant of Table.rows(tables.grants).filter(which)) {
    if (Option.isSome(grant.revokedAt)) continue
    tables.grants = Table.set(tables.grants, grant.tokenDigest, { ...grant, revokedAt: Option.some(at) })
  }
}

const validConsent = requireValid(Consent)
const validAuthorizationCode = requireValid(AuthorizationCode)
const validAccessGrant = requireValid(AccessGrant)

/** `ConsentRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof ConsentRepository.Service => ({
  find: (userId, applicationId) =>
    state.read(({ consents }) => Table.get(consents, Table.keyOf(userId, applicationId))),
  save: validConsent("save a consent", (consent) =>
    state.write((tables) => {
      tables.consents = Table.set(tables.consents, Table.keyOf(consent.userId, consent.applicationId), consent)
    })),
  list: ({ after, limit }) =>
    state.read(({ consents }) =>
      Table.after(
        consents,
        Option.map(after, ({ applicationId, userId }) => Table.keyOf(userId, applicationId)),
        limit
      )
    ),
  insertCode: validAuthorizationCode("insert a code", (code) => state.attempt(insertCode(code))),
  findCode: (digest) => state.read(({ codes }) => Table.get(codes, digest)),
  redeemCode: (digest, at) =>
    state.write((tables) => {
      const code = Option.getOrUndefined(Table.get(tables.codes, digest))
      if (code === undefined || Option.isSome(code.redeemedAt)) return false
      tables.codes = Table.set(tables.codes, digest, { ...code, redeemedAt: Option.some(at) })
      return true
    }),
  removeCodesExpiredBefore: (moment, limit) =>
    state.write((tables) => {
      const isExpired = DateTime.lessThan(moment)
      const expired = Table.oldest(tables.codes, ({ expiresAt }) => Option.some(expiresAt), isExpired, limit)
      for (const [digest] of expired) tables.codes = Table.remove(tables.codes, digest)
      return expired.length
    }),
  insertGrant: validAccessGrant("insert a grant", (grant) => state.attempt(insertGrant(grant))),
  findGrant: (tokenDigest) => state.read(({ grants }) => Table.get(grants, tokenDigest)),
  revokeGrantsOfCode: ({ applicationId, at, codeDigest }) =>
    state.write((tables) =>
      revokeGrants(tables, (grant) => grant.codeDigest === codeDigest && grant.applicationId === applicationId, at)
    ),
  removeAllOfUser: (userId, at) =>
    state.write((tables) => {
      revokeGrants(tables, (grant) => grant.userId === userId, at)
      for (const code of Table.rows(tables.codes)) {
        if (code.userId === userId) tables.codes = Table.remove(tables.codes, code.digest)
      }
      tables.consents = Table.removePrefix(tables.consents, Table.keyOf(userId))
    })
})
