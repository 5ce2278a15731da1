import { scheduleDeletion } from "@community-messaging/domain-contract/world/Scene"
import { Accounts } from "@community-messaging/domain/account/Accounts"
import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import * as NodeContext from "@effect/platform-node/NodeContext"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import * as Demo from "../../src/demo/Demo.ts"
import type { DemoFacts } from "../../src/demo/DemoFacts.ts"
import * as DemoPage from "../../src/demo/DemoPage.ts"
import { composed, configured, type Settings, temporaryDirectory } from "../composed/ComposedServer.ts"
import { expectError } from "../http/Expectations.ts"
import * as Fixtures from "../http/Fixtures.ts"
import { send } from "../http/HttpClient.ts"
import { at } from "../http/JsonPath.ts"
import { TestServer } from "../http/TestServer.ts"
import { build } from "../program/Program.ts"

const LIST = "/v1/users/@me/scheduled-messages"

/** Runs the test on the server with a demo and its page, like `serve --demo` with these settings. */
const inDemo = <A, E, R>(test: (facts: DemoFacts) => Effect.Effect<A, E, R>, settings: Settings = {}) =>
  Effect.gen(function*() {
    const DATA_DIR = yield* temporaryDirectory
    const page = yield* DemoPage.make(yield* configured({ ...settings, DATA_DIR }))
    return yield* Effect.gen(function*() {
      const { origin } = yield* TestServer
      const { facts } = yield* Demo.prepare(DATA_DIR, `${origin}/v1`, 1, page.refusal)
      yield* page.open(facts)
      return yield* test(facts)
    }).pipe(Effect.provide(composed({ ...settings, DATA_DIR }, Effect.void, page.pages)))
  }).pipe(Effect.provide(NodeContext.layer))

const status = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
  Effect.map(send(path, { method, headers }), (response) => response.status)

const scheduledOf = (bot: Redacted.Redacted) =>
  Effect.map(send(LIST, { bot }), ({ json }) => Array.isArray(json) ? json.map((item: unknown) => at(item, "id")) : [])

describe("the demo's page", () => {
  // The page's modules are compiled.
  it("is compiled", () => {
    expect(build).not.toThrow()
  })

  it.scoped("is linked on the front page and from other sites, and reaches only this server", () =>
    inDemo(() =>
      Effect.gen(function*() {
        const [front, page] = yield* Effect.all([
          send("/"),
          send("/demo", { headers: { "sec-fetch-site": "cross-site" } })
        ])
        expect([page.status, at(front.json, "links", "demo")]).toEqual([200, expect.stringMatching(/\/demo$/)])
        expect(page.headers["content-security-policy"]).toMatch(/^default-src 'none'; script-src 'self'; /)
        expect(page.headers).toMatchObject({
          "cache-control": "no-store",
          "content-type": "text/html; charset=utf-8",
          "x-content-type-options": "nosniff"
        })
      })
    ))

  it.scoped("has every file that it loads", () =>
    inDemo(() =>
      Effect.gen(function*() {
        const { text } = yield* send("/demo")
        const linked = Array.from(text.matchAll(/(?:src|href)="(demo\/[^"]+)"/g), ([, file = ""]) => `/${file}`)
        const files = new Set(linked.filter((path) => path !== "/demo/docs"))
        expect(files).toEqual(new Set(["/demo/icon.svg", "/demo/style.css", "/demo/Main.js"]))
        const answers = yield* Effect.forEach(files, (path) => send(path))
        expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200])
        const imports = answers.flatMap((answer) =>
          answer.text.match(/(?:^|;|\})(?:import|export)\b.*from|@import/g) ?? []
        )
        expect(imports).toEqual([])
      })
    ))

  it.scoped("shows the demo's credentials, which work, only in its facts and examples, and no other credentials", () =>
    inDemo((facts) =>
      Effect.gen(function*() {
        const [bot, admin, hook] = yield* Effect.all([Fixtures.bot, Fixtures.adminKey("*"), Fixtures.webhook])
        const email = EmailAddress.make("heliotrope@mail.example")
        yield* (yield* Accounts).changeEmail({ userId: bot.user.id, email, actor: { _tag: "CommandLine" } })
        const others = [
          ...[bot.token, admin.token, hook.token].map(Redacted.value),
          email,
          "203.0.113.77"
        ]
        const own = [facts.bot_token, facts.admin_key, facts.webhook.token].map(Redacted.value)
        const files = ["Main.js", "style.css", "docs", "facts.json"].map((name) => `/demo/${name}`)
        const pages = yield* Effect.forEach(
          ["/", "/v1/docs", "/v1/openapi.json", "/demo", ...files],
          (path) =>
            Effect.map(
              send(path, { headers: { accept: "text/html,*/*;q=0.8", "x-forwarded-for": "203.0.113.77" } }),
              (page) => ({ path, ...page })
            )
        )
        expect(new Set(pages.map((page) => page.status))).toEqual(new Set([200]))
        const showing = (secrets: ReadonlyArray<string>) =>
          pages.filter(({ text }) => secrets.some((secret) => text.includes(secret))).map(({ path }) => path)
        expect([showing(own), showing(others)]).toEqual([["/demo/docs", "/demo/facts.json"], []])

        const { json } = yield* send("/demo/facts.json")
        expect(at(json, "bot_token")).toBe(Redacted.value(facts.bot_token))
        expect(at(json, "channels", "1", "name")).toBe("builds")
        const search = yield* send(`/v1/guilds/${facts.guild_id}/members-search`, { bot: facts.bot_token, body: {} })
        expect(search.status).toBe(200)
      })
    ))

  it.scoped("is not served for a name that another site has given to this machine's address", () =>
    inDemo(() =>
      Effect.gen(function*() {
        const paths = ["/demo", "/demo/facts.json", "/demo/docs", "/demo/Main.js"]
        const evil = yield* Effect.forEach(paths, (path) => status(path, { host: "evil.example:8080" }))
        const own = yield* Effect.forEach(
          ["localhost:1", "127.0.0.1", "[::1]:8080", "demo.localhost"],
          (host) => status("/demo/facts.json", { host })
        )
        expect([evil, own]).toEqual([[403, 403, 403, 403], [200, 200, 200, 200]])
      })
    ))

  it.scoped("gives no data to pages of other sites, also if those may call the API", () =>
    inDemo(() =>
      Effect.gen(function*() {
        const others = [
          { "sec-fetch-site": "cross-site" },
          { "sec-fetch-site": "same-site" },
          { origin: "https://evil.example" },
          { origin: "null" }
        ]
        for (const headers of others) {
          const facts = yield* send("/demo/facts.json", { headers })
          expectError(facts, 403, "FORBIDDEN")
          expect(facts.headers["access-control-allow-origin"]).toBeUndefined()
          expect(facts.text).not.toContain("bot_token")
          expect(yield* status("/demo/schedule-message", headers, "POST")).toBe(403)
        }
      }), { CORS_ORIGINS: "*" }))

  it.scoped("schedules a message, and cancels it", () =>
    inDemo((facts) =>
      Effect.gen(function*() {
        const before = yield* scheduledOf(facts.bot_token)
        expect(yield* status("/demo/schedule-message", {}, "POST")).toBe(204)
        const id = (yield* scheduledOf(facts.bot_token)).find((each) => !before.includes(each))
        expect(yield* status(`/demo/cancel-message?id=${String(id)}`, {}, "POST")).toBe(204)
        expect(yield* scheduledOf(facts.bot_token)).toEqual(before)
        expectError(yield* send(`/demo/cancel-message?id=${String(id)}`, { method: "POST" }), 409, "CONFLICT")
        expectError(yield* send("/demo/cancel-message?id=x", { method: "POST" }), 409, "CONFLICT")
      })
    ))

  it.scoped("cancels the deletion of an account, once", () =>
    inDemo((facts) =>
      Effect.gen(function*() {
        yield* scheduleDeletion(facts.user_id)
        const cancel = status(`/demo/cancel-deletion?user_id=${facts.user_id}`, {}, "POST")
        expect([yield* cancel, yield* cancel]).toEqual([204, 409])
        expect(yield* status("/demo/cancel-deletion")).toBe(405)
      })
    ))
})

describe("DEMO_PAGE", () => {
  it.scoped.each<readonly [settings: Settings, answer: RegExp]>([
    [{ HOST: "127.0.0.2" }, /^served$/],
    [{ DEMO_PAGE: "off" }, /^The demo's page is not served: DEMO_PAGE is off\.$/],
    [{ HOST: "0.0.0.0" }, /DEMO_PAGE=on serves it anyway/],
    [{ PUBLIC_URL: "https://chat.example" }, /DEMO_PAGE=on serves it anyway/],
    [{ TRUST_PROXY: "1" }, /DEMO_PAGE=on serves it anyway/]
  ])(
    "auto serves it on loopback alone, and any refusal says what serves it: %j",
    ([settings, answer]) =>
      inDemo(() =>
        Effect.gen(function*() {
          const page = yield* send("/demo")
          expect(page.status === 200 ? "served" : at(page.json, "message")).toMatch(answer)
        }), settings)
  )

  it.scoped("on serves it to everyone, by an address or the public name", () =>
    inDemo(() =>
      Effect.gen(function*() {
        const hosts = ["192.0.2.7:8080", "[2001:db8::1]", "chat.example", "localhost", "evil.example"]
        const answered = yield* Effect.forEach(hosts, (host) => status("/demo/facts.json", { host }))
        expect(answered).toEqual([200, 200, 200, 200, 403])
      }), { DEMO_PAGE: "on", HOST: "0.0.0.0", PUBLIC_URL: "https://chat.example" }))
})
