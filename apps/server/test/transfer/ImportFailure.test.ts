import { UserRepository } from "@community-messaging/domain/account/UserRepository"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Stream } from "effect"
import * as Import from "../../src/transfer/Import.ts"
import * as Lines from "../../src/transfer/Lines.ts"
import { toText } from "./Community.ts"
import { inMemory } from "./Transfer.ts"

/** A storage that fails at that account, as with a full disk. */
const failingAt = (userId: string) =>
  Layer.effect(
    UserRepository,
    Effect.map(UserRepository, (users) => ({
      ...users,
      saveAll: (all) =>
        all.some(({ id }) => id === userId) ? new StorageError({ operation: "save accounts" }) : users.saveAll(all)
    }))
  ).pipe(Layer.provideMerge(inMemory))

const users = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    kind: "user",
    id: String(index + 1),
    username: "ada",
    bio: "x".repeat(1000)
  }))

const importing = (records: ReadonlyArray<object>, strict = false) =>
  Import.run(Lines.fromBytes(Stream.make(new TextEncoder().encode(toText(records)))), {
    strict,
    report: () => Effect.void
  })

/** The number of stored accounts. */
const countOfAccounts = Effect.map(
  Effect.flatMap(UserRepository, ({ list }) => list({ after: Option.none(), limit: 10_000 })),
  (found) => found.length
)

describe("an import in which storage fails", () => {
  it.effect("names the last line that was tried, and the first line that is not stored", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(importing(users(2000)))
      expect(error).toMatchObject({ _tag: "ImportStopped", cause: { _tag: "StorageError" } })
      const kept = yield* countOfAccounts
      expect([kept > 0, error]).toMatchObject([true, { firstLost: kept + 1 }])
      expect(error._tag === "ImportStopped" && error.number >= 1500 && error.firstLost <= 1500).toBe(true)
    }).pipe(Effect.provide(failingAt("1500"))))

  it.effect("stores nothing if it is strict", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(importing(users(2000), true))
      expect(error).toMatchObject({ _tag: "ImportStopped", firstLost: 1 })
      expect(yield* countOfAccounts).toBe(0)
    }).pipe(Effect.provide(failingAt("1500"))))
})
