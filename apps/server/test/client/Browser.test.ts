import { layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { build } from "esbuild"
import type { RequestListener } from "node:http"
import { fileURLToPath } from "node:url"
import { describe, expect } from "vitest"
import { isLeftOut, launched, NEEDED } from "../browser/Chromium.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { TestServer, testServer } from "../http/TestServer.ts"

const { outputFiles: [bundle] } = await build({
  stdin: {
    contents: [
      "export { createClient } from \"@community-messaging/client/Client\"",
      "export { ApiError } from \"@community-messaging/client/ClientError\""
    ].join("\n"),
    resolveDir: fileURLToPath(new URL(".", import.meta.url))
  },
  conditions: ["development"],
  bundle: true,
  minify: true,
  format: "esm",
  platform: "browser",
  write: false
})

/** Serves a page with the client at the origin of the API. */
const withPage = (api: RequestListener): RequestListener => (request, response) => {
  if (request.url === "/client.js") {
    response.setHeader("content-type", "text/javascript").end(bundle?.text)
  } else if (request.url === "/") {
    response.setHeader("content-type", "text/html").end("<!doctype html><title>Client</title>")
  } else {
    api(request, response)
  }
}

/** An open page of the served origin. */
const page = Effect.gen(function*() {
  const { origin } = yield* TestServer
  const browser = yield* launched
  const opened = yield* Effect.promise(() => browser.newPage())
  yield* Effect.promise(() => opened.goto(origin))
  return opened
})

describe.skipIf(isLeftOut)(`A client in a browser${NEEDED}`, () => {
  layer(testServer({ mount: withPage }), { excludeTestServices: true })((it) => {
    it.scoped("calls operations, recognises errors, and follows events until it stops", () =>
      Effect.gen(function*() {
        const bot = yield* Fixtures.botWithGuild
        const { token } = yield* Fixtures.adminKey("events:read")
        const id = yield* Fixtures.happening
        const facts = { bot: Redacted.value(bot.token), admin: Redacted.value(token), guild: bot.guild.id }
        const opened = yield* page
        const outcome: unknown = yield* Effect.promise(() =>
          opened.evaluate(`(async () => {
          const { ApiError, createClient } = await import("/client.js")
          const { admin, bot, guild } = ${JSON.stringify(facts)}
          const client = createClient({ baseUrl: location.origin, credentials: { admin, bot } })
          const page = await client.guildMembers.search({ path: { guild_id: guild }, body: {} })
          const error = await client.guildMembers.search({ path: { guild_id: "1" }, body: {} }).catch((reason) => reason)
          const aborted = await client.scheduledMessages.list({}, { signal: AbortSignal.abort("enough") })
            .catch((reason) => reason)
          const ids = []
          for await (const { data, type } of client.logs.streamEvents({ query: { after: 0 } })) {
            if (type === "user.deleted") { ids.push(data.user_id); break }
          }
          return { total: page.total_result_count, known: error instanceof ApiError, code: error.code, aborted, ids }
        })()`)
        )
        expect(outcome).toEqual({ total: 1, known: true, code: "UNKNOWN_GUILD", aborted: "enough", ids: [id] })
      }))
  })
})
