import type { TokenDigest } from "@community-messaging/domain/access/Token"
import { AccessGrant, AuthorizationCode, Consent } from "@community-messaging/domain/oauth2/Consent"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type DateTime, Effect, Either, Layer, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import * as GroupedTable from "./GroupedTable.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import * as Timeline from "./Timeline.ts"

const insertCode = (tables: Tables, code: AuthorizationCode): Either.Either<Tables, StorageError> =>
  Either.map(requireThat(!Table.has(tables.codes, code.digest), "insert a code: its digest is taken"), () => ({
    ...tables,
    codes: Table.set(tables.codes, code.digest, code),
    codesByExpiry: Timeline.add(tables.codesByExpiry, code.expiresAt, code.digest),
    codesOfUser: GroupedTable.set(tables.codesOfUser, code.userId, code.digest, code.digest)
  }))

const removeCodes = (tables: Tables, digests: ReadonlyArray<TokenDigest>): Tables =>
  digests.reduce((left, digest) =>
    Option.match(Table.get(left.codes, digest), {
      onNone: () => left,
      onSome: (code) => ({
        ...left,
        codes: Table.remove(left.codes, digest),
        codesByExpiry: Timeline.remove(left.codesByExpiry, code.expiresAt, digest),
        codesOfUser: GroupedTable.remove(left.codesOfUser, code.userId, digest)
      })
    }), tables)

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
    grants: Table.set(tables.grants, grant.tokenDigest, grant),
    grantsOfCode: GroupedTable.set(tables.grantsOfCode, grant.codeDigest, grant.tokenDigest, grant.tokenDigest),
    grantsOfUser: GroupedTable.set(tables.grantsOfUser, grant.userId, grant.tokenDigest, grant.tokenDigest)
  }))

const revokeGrants = (tables: Tables, tokenDigests: ReadonlyArray<TokenDigest>, at: DateTime.Utc): Tables => ({
  ...tables,
  grants: tokenDigests.reduce(
    (grants, digest) =>
      Option.match(Option.filter(Table.get(grants, digest), ({ revokedAt }) => Option.isNone(revokedAt)), {
        onNone: () => grants,
        onSome: (grant) => Table.set(grants, digest, { ...grant, revokedAt: Option.some(at) })
      }),
    tables.grants
  )
})

/** `ConsentRepository` in memory. */
export const layer: Layer.Layer<ConsentRepository, never, MemoryState> = Layer.effect(
  ConsentRepository,
  Effect.map(MemoryState, (state) => ({
    find: (userId, applicationId) => state.read(({ consents }) => GroupedTable.get(consents, userId, applicationId)),
    save: requireValid("save a consent", Consent, (consent) =>
      state.update((tables) =>
        Either.right({
          ...tables,
          consents: GroupedTable.set(tables.consents, consent.userId, consent.applicationId, consent)
        })
      )),
    list: ({ after, limit }) =>
      state.read(({ consents }) =>
        GroupedTable.after(consents, Option.map(after, ({ applicationId, userId }) => [userId, applicationId]), limit)
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
        const expired = Timeline.before(tables.codesByExpiry, moment, limit)
        return Either.right([expired.length, removeCodes(tables, expired)])
      }),
    insertGrant: requireValid(
      "insert a grant",
      AccessGrant,
      (grant) => state.update((tables) => insertGrant(tables, grant))
    ),
    findGrant: (tokenDigest) => state.read(({ grants }) => Table.get(grants, tokenDigest)),
    revokeGrantsOfCode: ({ applicationId, at, codeDigest }) =>
      state.update((tables) => {
        const given = Table.rows(GroupedTable.group(tables.grantsOfCode, codeDigest)).filter((tokenDigest) =>
          Option.exists(Table.get(tables.grants, tokenDigest), (grant) => grant.applicationId === applicationId)
        )
        return Either.right(revokeGrants(tables, given, at))
      }),
    removeAllOfUser: (userId, at) =>
      state.update((tables) => {
        const revoked = revokeGrants(tables, Table.rows(GroupedTable.group(tables.grantsOfUser, userId)), at)
        const removed = removeCodes(revoked, Table.rows(GroupedTable.group(tables.codesOfUser, userId)))
        return Either.right({ ...removed, consents: GroupedTable.removeGroup(removed.consents, userId) })
      })
  }))
)
