import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { createHash } from "node:crypto"
import { request } from "node:http"
import { gunzipSync } from "node:zlib"
import { expect } from "vitest"
import { send } from "../HttpClient.ts"
import { onMemory, TestServer, testServer } from "../TestServer.ts"

const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

const accepting = (accept: string) => send("/", { headers: { accept } })

/** The bytes of a page with that `Accept-Encoding`. */
const bytesOf = (path: string, coding: string) =>
  Effect.flatMap(
    TestServer,
    ({ origin }) =>
      Effect.async<{ readonly coding: string | undefined; readonly bytes: Buffer }>((resume) => {
        const outgoing = request(
          `${origin}${path}`,
          { headers: { "accept-encoding": coding }, agent: false },
          (incoming) => {
            const pieces: Array<Buffer> = []
            incoming.on("data", (piece: Buffer) => pieces.push(piece))
            incoming.on(
              "end",
              () =>
                resume(Effect.succeed({ coding: incoming.headers["content-encoding"], bytes: Buffer.concat(pieces) }))
            )
          }
        )
        outgoing.end()
      })
  )

onMemory("The front page", (it) => {
  it.effect("has absolute links for programs", () =>
    Effect.gen(function*() {
      const { origin } = yield* TestServer
      const response = yield* send("/")
      expect(response).toMatchObject({ status: 200, headers: { "content-type": "application/json", vary: "accept" } })
      expect(response.json).toEqual({
        name: "Community Messaging",
        links: { documentation: `${origin}/v1/docs`, openapi: `${origin}/v1/openapi.json` }
      })
    }))

  it.effect("has links for browsers that work behind any prefix, runs no script and loads nothing", () =>
    Effect.gen(function*() {
      const { headers, text } = yield* accepting(BROWSER)
      expect(headers["content-security-policy"]).toMatch(
        /^default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri/
      )
      expect(headers).toMatchObject({ "content-type": "text/html; charset=utf-8", vary: "accept" })
      expect(Array.from(text.matchAll(/<a href="([^"]+)"/g), ([, href]) => href)).toEqual([
        "v1/docs",
        "v1/openapi.json"
      ])
    }))

  it.effect.each(
    [
      ["application/json;q=0.5, text/html", "text/html; charset=utf-8"],
      ["text/html;q=0.5, application/json", "application/json"],
      ["*/*", "application/json"],
      ["image/png", "application/json"]
    ] as const
  )("answers %s with %s", ([accept, contentType]) =>
    Effect.gen(function*() {
      expect((yield* accepting(accept)).headers["content-type"]).toBe(contentType)
    }))
})

onMemory("The API documentation", (it) => {
  it.effect("is one page, which is compressed for clients that accept it", () =>
    Effect.gen(function*() {
      const compressed = yield* bytesOf("/v1/docs", "gzip, deflate, br")
      const plain = yield* bytesOf("/v1/docs", "identity")
      expect([compressed.coding, plain.coding]).toEqual(["gzip", undefined])
      expect(gunzipSync(compressed.bytes).equals(plain.bytes)).toBe(true)
      expect(compressed.bytes.length).toBeLessThan(1_000_000)
    }))

  it.effect("is cached by its coding, and allows only its own scripts and requests to this server", () =>
    Effect.gen(function*() {
      const { headers, text } = yield* send("/v1/docs")
      expect(headers).toMatchObject({ vary: "accept-encoding", "cache-control": "public, max-age=300" })
      const policy = headers["content-security-policy"] ?? ""
      const scripts = Array.from(text.matchAll(/<script>([\s\S]*?)<\/script>/g), ([, script]) => script ?? "")
      expect(scripts).toHaveLength(2)
      for (const script of scripts) {
        expect(policy).toContain(`'sha256-${createHash("sha256").update(script).digest("base64")}'`)
      }
      expect(policy).toContain("connect-src 'self'")
      expect(policy).not.toMatch(/script-src[^;]*'unsafe-(inline|eval)'/)
    }))
})

layer(testServer({ options: { publicUrl: "https://chat.example/api" } }), { excludeTestServices: true })(
  "Behind a proxy with a prefix",
  (it) => {
    it.effect("the front page has public addresses, and the documentation calls the origin that it was loaded from", () =>
      Effect.gen(function*() {
        expect((yield* send("/")).json).toMatchObject({ links: { documentation: "https://chat.example/api/v1/docs" } })
        expect((yield* send("/v1/docs")).text).toContain("\"servers\":[{\"url\":\"/api\"}]")
      }))
  }
)
