import type { TokenDigest } from "@community-messaging/domain/access/Token"
import { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { DateTime, Effect, Either, Layer, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"

const insertCode = (tables: Tables, code: AuthorizationCode): Either.Either<Tables, StorageError> =>
  Either.map(requireThat(!Table.has(tables.codes, code.digest), "insert a code: its digest is taken"), () => ({
    ...tables,
    codes: Table.set(tables.codes, code.digest, code)
  }))

const redeem = (tables: Tables, digest: TokenDigest, at: DateTime.Utc): readonly [redeemed: boolean, tables: Tables] =>
  Option.match(Option.filter(Table.get(tables.codes, digest), ({ redeemedAt }) => Option.isNone(redeemedAt)), {
    onNone: () => [false, tables],
    onSome: (code) => [
      true,
      { ...tables, codes: Table.set(tables.codes, digest, { ...code, redeemedAt: Option.some(at) }) }
    ]
  })

const insertGrant = (tables: Tables, grant: AccessGrant): Either.Either<Tables, StorageError> =>
  Either.map(requireThat(!Table.has(tables.grants, grant.tokenDigest), "insert a grant: its digest is taken"), () => ({
    ...tables,
    grants: Table.set(tables.grants, grant.tokenDigest, grant)
  }))

const revokeGrants = (tables: Tables, which: (grant: AccessGrant) => boolean, at: DateTime.Utc): Tables => ({
  ...tables,
  grants: Table.rows(tables.grants)
    .filter((grant) => which(grant) && Option.isNone(grant.revokedAt))
    .reduce(
      (grants, grant) => Table.set(grants, grant.tokenDigest, { ...grant, revokedAt: Option.some(at) }),
      tables.grants
    )
})

/** `ConsentRepository` in memory. */
export const layer: Layer.Layer<ConsentRepository, never, MemoryState> = Layer.effect(
  ConsentRepository,
  Effect.map(MemoryState, (state) => ({
    find: (userId, applicationId) =>
      state.read(({ consents }) => Table.get(consents, Table.keyOf(userId, applicationId))),
    save: requireValid("save a consent", Consent, (consent) =>
      state.update((tables) =>
        Either.right({
          ...tables,
          consents: Table.set(tables.consents, Table.keyOf(consent.userId, consent.applicationId), consent)
        })
      )),
    list: ({ after, limit }) =>
      state.read(({ consents }) =>
        Table.after(
          consents,
          Option.map(after, ({ applicationId, userId }) => Table.keyOf(userId, applicationId)),
          limit
        )
      ),
    insertCode: requireValid(
      "insert a code",
      AuthorizationCode,
      (code) => state.update((tables) => insertCode(tables, code))
    ),
    findCode: (digest) => state.read(({ codes }) => Table.get(codes, digest)),
    redeemCode: (digest, at) => state.modify((tables) => Either.right(redeem(tables, digest, at))),
    removeCodesExpiredBefore: (moment, limit) =>
      state.modify((tables) => {
        const isExpired = DateTime.lessThan(moment)
        const expired = Table.oldest(tables.codes, ({ expiresAt }) => Option.some(expiresAt), isExpired, limit)
        return Either.right([expired.length, { ...tables, codes: Table.removeAll(tables.codes, expired) }])
      }),
    insertGrant: requireValid(
      "insert a grant",
      AccessGrant,
      (grant) => state.update((tables) => insertGrant(tables, grant))
    ),
    findGrant: (tokenDigest) => state.read(({ grants }) => Table.get(grants, tokenDigest)),
    revokeGrantsOfCode: ({ applicationId, at, codeDigest }) =>
      state.update((tables) =>
        Either.right(
          revokeGrants(tables, (grant) => grant.codeDigest === codeDigest && grant.applicationId === applicationId, at)
        )
      ),
    removeAllOfUser: (userId, at) =>
      state.update((tables) => {
        const codes = Table.rows(tables.codes).filter((code) => code.userId === userId).map(({ digest }) => digest)
        return Either.right({
          ...revokeGrants(tables, (grant) => grant.userId === userId, at),
          codes: Table.removeAll(tables.codes, codes),
          consents: Table.removePrefix(tables.consents, Table.keyOf(userId))
        })
      })
  }))
)
