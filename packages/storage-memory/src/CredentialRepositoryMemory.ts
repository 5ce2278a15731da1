import { Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import type { TokenDigest } from "@community-messaging/domain/access/Token"
import type { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import type { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { type DateTime, Effect, Either, Layer, Option } from "effect"
import { requireThat, requireValid } from "./Constraint.ts"
import { MemoryState } from "./MemoryState.ts"
import * as Table from "./Table.ts"
import type { Tables } from "./Tables.ts"
import { statusOf } from "./UserRepositoryMemory.ts"

const byDigest = ({ credentials, credentialsByDigest }: Tables, digest: TokenDigest): Option.Option<Credential> =>
  Option.flatMap(Table.get(credentialsByDigest, digest), (id) => Table.get(credentials, id))

const insert = (tables: Tables, credential: Credential): Either.Either<Tables, StorageError> =>
  Either.gen(function*() {
    const { digest, id } = credential
    yield* requireThat(!Table.has(tables.credentials, id), "insert a credential: its id is taken")
    yield* requireThat(!Table.has(tables.credentialsByDigest, digest), "insert a credential: its digest is taken")
    if (credential._tag === "BotToken") {
      yield* requireThat(Table.has(tables.users, credential.userId), "insert a credential: its account does not exist")
    }
    return {
      ...tables,
      credentials: Table.set(tables.credentials, id, credential),
      credentialsByDigest: Table.set(tables.credentialsByDigest, digest, id)
    }
  })

const revoke = (credentials: Tables["credentials"], id: CredentialId, at: DateTime.Utc): Tables["credentials"] =>
  Option.match(Table.get(credentials, id), {
    onNone: () => credentials,
    onSome: (credential) =>
      Option.isSome(credential.revokedAt)
        ? credentials
        : Table.set(credentials, id, { ...credential, revokedAt: Option.some(at) })
  })

/** `CredentialRepository` in memory. */
export const layer: Layer.Layer<CredentialRepository, never, MemoryState> = Layer.effect(
  CredentialRepository,
  Effect.map(MemoryState, (state) => ({
    insert: requireValid(
      "insert a credential",
      Credential,
      (credential) => state.update((tables) => insert(tables, credential))
    ),
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
    list: state.read(({ credentials }) => Table.rows(credentials)),
    revoke: (id, at) =>
      state.update((tables) => Either.right({ ...tables, credentials: revoke(tables.credentials, id, at) })),
    revokeAllOfUser: (userId, at) =>
      state.update((tables) =>
        Either.right({
          ...tables,
          credentials: Table.rows(tables.credentials)
            .filter((credential) => credential._tag === "BotToken" && credential.userId === userId)
            .reduce((credentials, { id }) => revoke(credentials, id, at), tables.credentials)
        })
      )
  }))
)
