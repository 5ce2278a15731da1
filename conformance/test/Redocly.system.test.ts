import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { expect } from "vitest"
import { TestServer, testServer } from "../../apps/server/test/http/TestServer.ts"
import * as Tool from "./Tool.ts"

layer(testServer(), { excludeTestServices: true })("The document of a running server", (it) => {
  it.effect(
    "passes the recommended rules of redocly without a warning",
    () =>
      Effect.gen(function*() {
        const { origin } = yield* TestServer
        const { code, output } = yield* Tool.run("@redocly/cli", [
          "lint",
          "--extends=recommended",
          "--format=json",
          `${origin}/v1/openapi.json`
        ])
        expect(output).toContain("\"totals\"")
        expect(output).toMatch(/"errors": 0,\s*"warnings": 0,\s*"ignored": 0/)
        expect(code).toBe(0)
      }),
    120_000
  )
})
