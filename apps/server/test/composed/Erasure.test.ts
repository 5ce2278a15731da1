import { fullAccount } from "@community-messaging/domain-contract/world/FullAccount"
import { inUtc, saying, schedule, scheduleDeletion, startPlus } from "@community-messaging/domain-contract/world/Scene"
import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Option, TestClock } from "effect"
import * as Fixtures from "../http/Fixtures.ts"
import { send } from "../http/HttpClient.ts"
import { atRest, composed, noonPlus, temporaryDirectory, within } from "./ComposedServer.ts"

/*
 * The bytes of files are tested for SQLite: PostgreSQL removes deleted data from its files when it vacuums, and its operator
 * is responsible for its write-ahead log (docs/postgres.md).
 */

/** The personal data of `fullAccount`, in every form in which it may be stored. */
const PERSONAL = [
  "Ada@example.org",
  "ada@example.org",
  "Ada Lovelace",
  "ada lovelace",
  "Poetical science",
  "she/her",
  "+441815",
  "1815-12-10",
  "192.0.2.1",
  "host.example.org",
  "London",
  "fedcba9876543210fedcba9876543210"
]

/** The content of a message that the account scheduled, and that is not posted yet. */
const DRAFT = "A draft that nobody has read"

/** Those of the texts that are in the files of the data directory, while the server runs. */
const foundIn = (directory: string, texts: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const found = new Set<string>()
    for (const name of yield* files.readDirectory(directory, { recursive: true })) {
      const path = `${directory}/${name}`
      if ((yield* files.stat(path)).type !== "File") continue
      const bytes = Buffer.from(yield* files.readFile(path))
      for (const text of texts) if (bytes.includes(text)) found.add(text)
    }
    return texts.filter((text) => found.has(text))
  }).pipe(Effect.orDie, Effect.provide(NodeContext.layer))

describe("no file of the data directory contains, while the server runs,", () => {
  it.scoped("the personal data of an account after its due deletion", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      const { user } = yield* Effect.gen(function*() {
        const account = yield* fullAccount({ bot: false })
        yield* schedule(account, { ...inUtc(startPlus("100 days")), payload: saying(DRAFT) })
        yield* scheduleDeletion(account.user.id, 1)
        return account
      }).pipe(Effect.provide(atRest({ DATA_DIR })))
      // Before the server starts, whose background work wakes once a minute; and so that no regular purge is at that moment.
      yield* TestClock.setTime(noonPlus("1435 minutes"))
      yield* Effect.gen(function*() {
        const erased = [...PERSONAL, DRAFT]
        expect(yield* foundIn(DATA_DIR, erased)).toEqual(expect.arrayContaining(["Ada@example.org", DRAFT]))
        yield* TestClock.adjust("5 minutes")
        const { find } = yield* UserRepository
        yield* within(0, find(user.id), Option.exists(({ deletedAt }) => Option.isSome(deletedAt)))
        expect(yield* within(0, foundIn(DATA_DIR, erased), (found) => found.length === 0)).toEqual([])
      }).pipe(Effect.provide(composed({ DATA_DIR })))
    }))

  it.scoped("an e-mail address ten minutes after it was replaced", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* temporaryDirectory
      yield* Effect.gen(function*() {
        const { user } = yield* fullAccount({ bot: false })
        const { token } = yield* Fixtures.adminKey("user:update:email")
        yield* send("/v1/admin/users/change-email", {
          admin: token,
          body: { user_id: user.id, email: "countess@example.org" }
        })
        yield* TestClock.adjust("10 minutes")
        const addresses = ["Ada@example.org", "ada@example.org", "countess@example.org"]
        const found = yield* within(0, foundIn(DATA_DIR, addresses), (texts) => texts.length < 2)
        expect(found).toEqual(["countess@example.org"])
      }).pipe(Effect.provide(composed({ DATA_DIR })))
    }))
})
