import { describe, expect, it } from "@effect/vitest"
import { Effect, Either, Option } from "effect"
import * as Guide from "./EmbeddingGuide.ts"
import { managedServer } from "./ManagedServer.ts"

describe("the guide for embedding", () => {
  it("shows rules that work", () => {
    expect(Either.isRight(Guide.rules.scheduled)).toBe(true)
    expect(Guide.rules.remains.username).toBe("deleted-user-1")
  })

  it("shows programs that run", async () => {
    const { ada, mine, removed, renamed, status } = await Guide.run()
    expect(Option.getOrNull(ada.email)).toBe("ada@example.org")
    expect(Option.getOrThrow(renamed).username).toBe("countess")
    expect(removed.purged).toBe(true)
    expect([mine, status]).toEqual(["mine", 200])
  })

  it.scopedLive("shows a server for the API alone that answers", () =>
    Effect.gen(function*() {
      const origin = yield* managedServer
      const { status } = yield* Effect.promise(() =>
        fetch(`${origin}/v1/openapi.json`, { headers: { connection: "close" } })
      )
      expect(status).toBe(200)
    }).pipe(Effect.provide(Guide.App)))
})
