import { Credential } from "@community-messaging/domain/access/Credential"
import type { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import type { TokenDigest } from "@community-messaging/domain/access/Token"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type DateTime, Either, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import type { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { statusOf } from "./UserRepositoryMemory.ts"

const byDigest = (tables: Readonly<Tables>, digest: TokenDigest): Option.Option<Credential> =>
  Option.flatMap(Table.get(tables.credentialsByDigest, digest), (id) => Table.get(tables.credentials, id))

const insert = (credential: Credential) => (tables: Tables): Either.Either<void, StorageError> =>
  Either.gen(function*() {
    const { digest, id } = credential
    yield* requireThat(!Table.has(tables.credentials, id), "insert a credential: its id is taken")
    yield* requireThat(!Table.has(tables.credentialsByDigest, digest), "insert a credential: its digest is taken")
    if (credential._tag === "BotToken") {
      yield* requireThat(Table.has(tables.users, credential.userId), "insert a credential: its account does not exist")
    }
    tables.credentials = Table.set(tables.credentials, id, credential)
    tables.credentialsByDigest = Table.set(tables.credentialsByDigest, digest, id)
  })

const revoke = (which: (credential: Credential) => boolean, at: DateTime.Utc) => (tables: Tables): void => {
  for (const credential of Table.rows(tables.credentials).filter(which)) {
    if (Option.isSome(credential.revokedAt)) continue
    tables.credentials = Table.set(tables.credentials, credential.id, { ...credential, revokedAt: Option.some(at) })
  }
}

const validCredential = requireValid(Credential)

/** `CredentialRepository` in memory. */
export const make = (state: typeof MemoryState.Service): typeof CredentialRepository.Service => ({
  insert: validCredential("insert a credential", (credential) => state.attempt(insert(credential))),
  find: (id) => state.read(({ credentials }) => Table.get(credentials, id)),
  findByDigest: (digest) => state.read((tables) => byDigest(tables, digest)),
  findBotToken: (digest) =>
    state.read((tables) =>
      byDigest(tables, digest).pipe(
        Option.filter((credential) => credential._tag === "BotToken"),
        Option.flatMap((token) =>
          Option.map(Table.get(tables.users, token.userId), (user) => ({ token, account: statusOf(user) }))
        )
      )
    ),
  list: ({ after, limit }) => state.read(({ credentials }) => Table.after(credentials, after, limit)),
  revoke: (id, at) => state.write(revoke((credential) => credential.id === id, at)),
  revokeAllOfUser: (userId, at) =>
    state.write(revoke((credential) => credential._tag === "BotToken" && credential.userId === userId, at))
})
