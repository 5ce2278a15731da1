import * as Samples from "@community-messaging/domain-contract/Samples"
import * as Saved from "@community-messaging/domain-contract/Saved"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { tombstone } from "@community-messaging/domain/account/Tombstone"
import { UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { DeletedData } from "@community-messaging/domain/shared-kernel/DeletedData"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { AvatarStore } from "@community-messaging/domain/webhook/AvatarStore"
import { WebhookRepository } from "@community-messaging/domain/webhook/WebhookRepository"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Option } from "effect"
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { turnsOfEventLoop } from "./SideBySide.ts"
import { temporaryFilename, temporaryStorage, withClient, withStorage } from "./TemporaryDatabase.ts"

const MEBIBYTE = 1024 * 1024

const purge = Effect.flatMap(DeletedData, (deletedData) => deletedData.purge)

/** Returns the texts that are in the files of the database's folder. */
const foundIn = (filename: string, texts: ReadonlyArray<string>) =>
  Effect.sync(() => {
    const folder = dirname(filename)
    const files = readdirSync(folder).map((file) => readFileSync(join(folder, file)))
    return texts.filter((text) => files.some((bytes) => bytes.includes(text)))
  })

/** Ids ascend, as snowflakes do. */
const SNOWFLAKE = 10n ** 17n

/** The texts of one person, which no other person has. Some rows are longer than a page. */
const textsOf = (number: number) => ({
  username: `username-${number}-`,
  globalName: `Global-Name-${number}-`,
  email: `Person-${number}-@example.org`,
  phone: `+1815-${number}-`,
  nickname: `Nickname-${number}-`,
  bio: `Bio-${number}-${"x".repeat(number % 7 * 1000)}`
})

/** Every form in which the texts may be stored. */
const formsOf = (number: number) =>
  Object.values(textsOf(number)).flatMap((text) => [text.slice(0, 40), text.slice(0, 40).toLowerCase()])

const person = (number: number) =>
  Effect.gen(function*() {
    const { bio, email, globalName, nickname, phone, username } = textsOf(number)
    const user = yield* Saved.user({
      id: UserId.make((SNOWFLAKE + BigInt(number)).toString()),
      username,
      globalName: Option.some(globalName),
      email: Option.some(EmailAddress.make(email)),
      phone: Option.some(phone),
      bio: Option.some(bio)
    })
    const guild = yield* Saved.guild()
    yield* Saved.membership({ guildId: guild.id, userId: user.id, nickname: Option.some(nickname) })
    return { number, user, guild }
  })

const erase = ({ guild, user }: Effect.Effect.Success<ReturnType<typeof person>>) =>
  Effect.gen(function*() {
    yield* (yield* MembershipRepository).remove(guild.id, user.id)
    yield* (yield* UserRepository).save(tombstone(user, Samples.NOON))
  })

const people = (count: number) => Effect.forEach(Array.from({ length: count }, (_, index) => index + 1), person)

describe("a purge", () => {
  it.scoped("removes the data of erased accounts from all files, and leaves the data of others", () =>
    withStorage((filename) =>
      Effect.gen(function*() {
        const all = yield* people(100)
        const erased = all.filter(({ number }) => number % 3 === 0)
        yield* Effect.forEach(erased, erase)
        expect(yield* purge).toBe(true)
        expect(yield* foundIn(filename, erased.flatMap(({ number }) => formsOf(number)))).toEqual([])
        expect(yield* foundIn(filename, ["Global-Name-100-", "person-100-@", "Nickname-100-"])).toHaveLength(3)
      })
    ))

  it.scoped("removes an e-mail address that was replaced", () =>
    withStorage((filename) =>
      Effect.gen(function*() {
        const { user } = yield* person(1)
        const email = Option.some(EmailAddress.make("other@example.org"))
        yield* (yield* UserRepository).save({ ...user, email })
        yield* purge
        expect(yield* foundIn(filename, [textsOf(1).email, "person-1-@", "other@example.org"])).toEqual([
          "other@example.org"
        ])
      })
    ))

  it.scoped("returns the space of replaced avatars to the file system", () =>
    withStorage((filename) =>
      Effect.gen(function*() {
        const avatars = yield* AvatarStore
        const webhooks = yield* WebhookRepository
        const webhook = yield* Saved.webhook()
        for (let number = 1; number <= 10; number += 1) {
          const avatar = Samples.avatar({ bytes: new Uint8Array(MEBIBYTE).fill(number) })
          yield* avatars.put(avatar)
          yield* webhooks.save({ ...webhook, avatar: Option.some(avatar.hash) })
        }
        expect(yield* purge).toBe(true)
        const bytes = readdirSync(dirname(filename)).map((file) => statSync(join(dirname(filename), file)).size)
        expect(bytes.reduce((total, size) => total + size, 0)).toBeLessThan(2 * MEBIBYTE)
        expect(yield* avatars.list({ after: Option.none(), limit: 9 })).toHaveLength(1)
      })
    ))

  it.scoped("must be repeated if a snapshot still sees deleted data", () =>
    withStorage((filename) =>
      Effect.gen(function*() {
        const { snapshot } = yield* UnitOfWork
        const begun = yield* Deferred.make<void>()
        const ended = yield* Deferred.make<void>()
        const first = yield* person(1)
        const reader = yield* Effect.fork(snapshot(
          Effect.all([
            Effect.flatMap(UserRepository, ({ find }) => find(first.user.id)),
            Deferred.succeed(begun, undefined),
            Deferred.await(ended)
          ])
        ))
        yield* Deferred.await(begun)
        yield* erase(first)
        expect(yield* purge).toBe(false)
        yield* Deferred.succeed(ended, undefined)
        yield* Fiber.join(reader)
        expect(yield* purge).toBe(true)
        expect(yield* foundIn(filename, formsOf(1))).toEqual([])
      })
    ))

  it.scoped("succeeds between the transactions of a busy writer", () =>
    Effect.gen(function*() {
      const { atomically } = yield* UnitOfWork
      const { save } = yield* UserRepository
      // The transaction stays open while the unit of work waits.
      const write = atomically(Effect.zipRight(turnsOfEventLoop, save(Samples.user())))
      yield* Effect.replicateEffect(Effect.forkScoped(Effect.forever(write)), 8)
      // A purge is repeated if the writer is in a transaction each time, which may happen on a busy machine.
      const repeated = Effect.repeat(purge, { until: (isDone) => isDone, times: 4 })
      const purges = yield* Effect.replicateEffect(Effect.zipRight(turnsOfEventLoop, repeated), 10)
      expect(purges).toEqual(purges.map(() => true))
    }).pipe(Effect.scoped, Effect.provide(temporaryStorage)))
})

describe("a file of an earlier version", () => {
  it.scoped("is rewritten when it is opened, without deleted data", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      yield* withClient(filename)((sql) =>
        Effect.all([
          sql`CREATE TABLE old (text TEXT)`,
          sql`INSERT INTO old VALUES ('Person-1-@example.org')`,
          sql`DELETE FROM old`
        ])
      )
      expect(yield* foundIn(filename, ["Person-1-@"])).toEqual(["Person-1-@"])
      yield* Effect.gen(function*() {
        yield* purge
        expect(yield* foundIn(filename, ["Person-1-@"])).toEqual([])
      }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
    }))

  it.scoped("is not rewritten by an opening that does not migrate, and a purge then leaves its free pages", () =>
    Effect.gen(function*() {
      const filename = yield* temporaryFilename
      const migrated = StorageSqlite.layer({ filename })
      yield* Effect.scoped(Layer.build(migrated))
      const freePages = withClient(filename)((sql) =>
        sql`SELECT auto_vacuum, freelist_count > 300 AS many FROM pragma_auto_vacuum, pragma_freelist_count`
      )
      yield* withClient(filename)((sql) =>
        Effect.all([
          sql`PRAGMA auto_vacuum = NONE`,
          sql`VACUUM`,
          sql`CREATE TABLE old (data BLOB)`,
          sql`INSERT INTO old VALUES (zeroblob(${2 * MEBIBYTE}))`,
          sql`DROP TABLE old`
        ])
      )
      yield* Effect.provide(purge, StorageSqlite.layer({ filename, migrate: false }))
      expect(yield* freePages).toEqual([{ auto_vacuum: 0, many: 1 }])
      yield* Effect.provide(purge, migrated)
      expect(yield* freePages).toEqual([{ auto_vacuum: 2, many: 0 }])
    }))
})
