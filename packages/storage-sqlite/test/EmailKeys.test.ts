import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { create, type User, UserId } from "@community-messaging/domain/account/User"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { UnitOfWork } from "@community-messaging/domain/shared-kernel/UnitOfWork"
import { SqlFailure } from "@community-messaging/storage-sql/SqlFailure"
import { emailKeys } from "@community-messaging/storage-sqlite/migrations/0011EmailKeys"
import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger, Option } from "effect"
import { temporaryFilename, withClient } from "./TemporaryDatabase.ts"

const FULL_WIDTH = "ａｄａ@example.org"

const save = (user: User) => Effect.flatMap(UserRepository, (users) => users.save(user))

/** A database with accounts of these addresses, and the keys that they had before the migration. */
const oldDatabase = (emails: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const filename = yield* temporaryFilename
    const users = emails.map((_, index) => create({ id: UserId.make(String(index + 1)), username: "ada" }))
    yield* Effect.flatMap(UnitOfWork, ({ atomically }) => atomically(Effect.forEach(users, save))).pipe(
      Effect.provide(StorageSqlite.layer({ filename }))
    )
    yield* withClient(filename)((sql) =>
      Effect.forEach(emails, (email, index) => {
        const key = email.toLowerCase().normalize("NFC")
        return sql`UPDATE users SET email = ${email}, email_key = ${key} WHERE id = ${index + 1}`
      })
    )
    return filename
  })

/** Runs the migration on the old database. Returns what it logs. */
const migrated = (filename: string) =>
  Effect.gen(function*() {
    const logged: Array<string> = []
    const logger = Logger.make(({ message }) => void logged.push(String(message)))
    yield* withClient(filename)((sql) =>
      emailKeys((text, parameters) =>
        Effect.mapError(sql.unsafe(text, parameters), ({ cause }) => new SqlFailure({ cause }))
      )
    ).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
    return logged
  })

const find = (id: string) => Effect.flatten(Effect.flatMap(UserRepository, (users) => users.find(UserId.make(id))))

const withEmail = (user: User, email: string): User => ({ ...user, email: Option.some(EmailAddress.make(email)) })

describe("a database whose e-mail addresses were compared by older rules", () => {
  it.scoped("compares the same addresses by the rules of today when it is migrated", () =>
    Effect.gen(function*() {
      const filename = yield* oldDatabase([FULL_WIDTH, "jo@xn--mnchen-3ya.test", "用户@例子.广告"])
      expect(yield* migrated(filename)).toEqual([])
      yield* Effect.gen(function*() {
        const other = create({ id: UserId.make("9"), username: "other" })
        for (const taken of ["ada@example.org", "jo@münchen.test", "用户@例子。广告"]) {
          expect(yield* Effect.flip(save(withEmail(other, taken)))).toMatchObject({ _tag: "EmailAlreadyInUse" })
        }
        expect((yield* find("1")).email).toEqual(Option.some(FULL_WIDTH))
      }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
    }))

  it.scoped.each<readonly [emails: ReadonlyArray<string>]>([[[FULL_WIDTH, "ada@example.org"]], [[
    "ada@example.org",
    FULL_WIDTH
  ]]])(
    "is migrated if two accounts have equal addresses, and the log names the accounts: %j",
    ([emails]) =>
      Effect.gen(function*() {
        const filename = yield* oldDatabase(emails)
        expect(yield* migrated(filename)).toEqual([
          "The accounts 1 and 2 have equal e-mail addresses. Both keep their address; change the address of 2"
        ])
        yield* Effect.gen(function*() {
          // Both work, and neither loses its address.
          for (const [index, id] of ["1", "2"].entries()) {
            yield* save({ ...(yield* find(id)), username: "renamed" })
            expect(yield* find(id)).toMatchObject({ username: "renamed", email: Option.some(emails[index]) })
          }
          // The first account has the address: the second one does not get it back.
          yield* save(withEmail(yield* find("2"), "lovelace@example.org"))
          const again = save(withEmail(yield* find("2"), "ADA@example.org"))
          expect(yield* Effect.flip(again)).toMatchObject({ _tag: "EmailAlreadyInUse" })
        }).pipe(Effect.provide(StorageSqlite.layer({ filename })))
      })
  )

  it.scoped("is migrated with many accounts", () =>
    Effect.gen(function*() {
      const emails = Array.from({ length: 1001 }, (_, index) => `ａ${index}@example.org`)
      const filename = yield* oldDatabase(emails)
      expect(yield* migrated(filename)).toEqual([])
      const keys = yield* withClient(filename)((sql) =>
        sql`SELECT count(*) AS keys FROM users WHERE email_key = 'a' || (id - 1) || '@example.org'`
      )
      expect(keys).toEqual([{ keys: 1001 }])
    }))
})
