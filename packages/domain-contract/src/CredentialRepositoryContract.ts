import { type BotToken, Credential } from "@community-messaging/domain/access/Credential"
import { CredentialRepository } from "@community-messaging/domain/access/CredentialRepository"
import { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { expect } from "@effect/vitest"
import { type DateTime, Effect, Option } from "effect"
import * as FreshIds from "./FreshIds.ts"
import { portContract } from "./OwnPorts.ts"
import { ORDERED_PAGES, pages, SHUFFLED } from "./Paging.ts"
import { plainData } from "./PlainData.ts"
import * as Samples from "./Samples.ts"
import { NOON, noonPlus } from "./Samples.ts"
import * as Saved from "./Saved.ts"

const plain = plainData(Credential)

const insert = (credential: Credential) =>
  Effect.flatMap(CredentialRepository, (credentials) => Effect.as(credentials.insert(credential), credential))

/** A stored bot token, of a new account unless one is given. */
const botToken = (changes: Partial<BotToken> = {}) =>
  Effect.gen(function*() {
    const userId = changes.userId ?? (yield* Saved.user()).id
    return yield* insert(Samples.botToken({ ...changes, userId }))
  })

const revokedAt = (id: CredentialId) =>
  Effect.map(
    Effect.flatMap(CredentialRepository, (credentials) => credentials.find(id)),
    Option.flatMap((credential): Option.Option<DateTime.Utc> => credential.revokedAt)
  )

/** The contract of `CredentialRepository`. */
export const credentialRepositoryContract = portContract<CredentialRepository>("CredentialRepository", ({ it }) => {
  it("a bot token is found with the status of its account, also if it is revoked", function*() {
    const credentials = yield* CredentialRepository
    const statuses = [
      [{ bot: true }, { bot: true, deleted: false, scheduledForDeletion: false }],
      [{ pendingDeletionAt: Option.some(NOON) }, { bot: false, deleted: false, scheduledForDeletion: true }],
      [
        { pendingDeletionAt: Option.some(NOON), deletedAt: Option.some(NOON) },
        { bot: false, deleted: true, scheduledForDeletion: false }
      ]
    ] as const
    for (const [changes, account] of statuses) {
      const token = yield* botToken({ userId: (yield* Saved.user(changes)).id })
      expect(yield* credentials.findBotToken(token.digest)).toEqual(Option.some({ token, account }))
      yield* credentials.revoke(token.id, NOON)
      expect(Option.flatMap(yield* credentials.findBotToken(token.digest), (found) => found.token.revokedAt))
        .toEqual(Option.some(NOON))
    }
  })

  it("an admin key and an unknown digest are no bot tokens", function*() {
    const credentials = yield* CredentialRepository
    const key = yield* insert(Samples.adminKey())
    const digests = [key.digest, FreshIds.digest()]
    expect(yield* Effect.forEach(digests, credentials.findBotToken)).toEqual([Option.none(), Option.none()])
  })

  it("credentials are listed by pages in the order of their ids by number, revoked ones included", function*() {
    const credentials = yield* CredentialRepository
    yield* Effect.forEach(SHUFFLED, (id) => insert(Samples.adminKey({ id: CredentialId.make(id) })))
    yield* credentials.revoke(CredentialId.make("10"), NOON)
    expect(yield* pages({ page: credentials.list, key: ({ id }) => id, limit: 3 })).toEqual(ORDERED_PAGES)
  })

  it("a second credential with the same digest is rejected", function*() {
    const first = yield* insert(Samples.adminKey())
    expect((yield* Effect.flip(insert(Samples.adminKey({ digest: first.digest }))))._tag).toBe("StorageError")
  })

  it("a credential is found by its digest, also a revoked one, and an unknown digest is not found", function*() {
    const credentials = yield* CredentialRepository
    const [token, key] = [yield* botToken(), yield* insert(Samples.adminKey())]
    yield* credentials.revoke(token.id, NOON)
    const found = yield* Effect.forEach([token.digest, key.digest, FreshIds.digest()], credentials.findByDigest)
    expect(found.map(Option.map(plain)))
      .toEqual([
        Option.some(plain({ ...token, revokedAt: Option.some(NOON) })),
        Option.some(plain(key)),
        Option.none()
      ])
  })

  it("revoking again keeps the first time, and revoking an unknown credential is no error", function*() {
    const credentials = yield* CredentialRepository
    const { id } = yield* insert(Samples.adminKey())
    yield* credentials.revoke(id, NOON)
    yield* credentials.revoke(id, noonPlus(1))
    yield* credentials.revoke(CredentialId.make(FreshIds.snowflake()), NOON)
    expect(yield* revokedAt(id)).toEqual(Option.some(NOON))
  })

  it("all bot tokens of an account are revoked at once, each once, and no others", function*() {
    const credentials = yield* CredentialRepository
    const { id: userId } = yield* Saved.user()
    const first = yield* botToken({ userId })
    const second = yield* botToken({ userId })
    const revoked = yield* botToken({ userId, revokedAt: Option.some(noonPlus(-1)) })
    const other = yield* botToken()
    const key = yield* insert(Samples.adminKey())
    yield* credentials.revokeAllOfUser(userId, NOON)
    expect(yield* Effect.forEach([first, second, revoked, other, key], ({ id }) => revokedAt(id)))
      .toEqual([Option.some(NOON), Option.some(NOON), Option.some(noonPlus(-1)), Option.none(), Option.none()])
  })
})
