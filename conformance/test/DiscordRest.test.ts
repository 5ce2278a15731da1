import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import { DiscordAPIError, REST } from "@discordjs/rest"
import { layer } from "@effect/vitest"
import { Array as Arrays, Effect } from "effect"
import { expect } from "vitest"
import { at } from "../../apps/server/test/http/JsonPath.ts"
import { TestServer, testServer } from "../../apps/server/test/http/TestServer.ts"
import { community } from "./Served.ts"

/** Searches that a bot may make at once. One more is allowed after two seconds: three take less, also on a busy machine. */
const SEARCHES = 3
const limited = { "member-search": { limit: SEARCHES, window: "6 seconds" } } as const

/** A client of the library, with the statuses of its responses. */
const clientOf = (token: string) =>
  Effect.gen(function*() {
    const { origin } = yield* TestServer
    // The library adds the version to the path.
    const rest = new REST({ api: origin, version: "1" }).setToken(token)
    const statuses: Array<number> = []
    rest.on("response", (_request, response) => {
      statuses.push(response.status)
    })
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        rest.clearHashSweeper()
        rest.clearHandlerSweeper()
      })
    )
    return { rest, statuses }
  })

layer(testServer({ rateLimits: RateLimits.layer(limited) }), { excludeTestServices: true })("@discordjs/rest", (it) => {
  it.scoped("calls all eight operations", () =>
    Effect.gen(function*() {
      const world = yield* community
      const { rest } = yield* clientOf(world.BOT_TOKEN)
      // The library supports the schemes Bot and Bearer. Another scheme needs a header of the request.
      const asAdmin = { auth: false, headers: { Authorization: `Admin ${world.ADMIN_KEY}` } }
      const hook = `/webhooks/${world.WEBHOOK_ID}/${world.WEBHOOK_TOKEN}` as const
      const answers = yield* Effect.promise(() =>
        Promise.all([
          rest.post("/oauth2/authorize/consent", { body: { client_id: world.CLIENT_ID, scope: "identify" } }),
          rest.get("/users/@me/scheduled-messages"),
          rest.post(`/guilds/${world.GUILD_ID}/members-search`, { body: {} }),
          rest.post("/admin/users/change-email", {
            ...asAdmin,
            body: { user_id: world.USER_ID, email: "someone@example.com" }
          }),
          rest.post("/admin/users/schedule-deletion", { ...asAdmin, body: { user_id: world.USER_ID, reason_code: 1 } }),
          rest.post(`${hook}/github`, { auth: false, body: { sender: { login: "bjork" } } }),
          rest.post(`${hook}/sentry`, { auth: false, body: {} }),
          rest.patch(hook, { auth: false, body: { name: "Kiln lights" } })
        ])
      )
      expect(at(answers, 0, "redirect_to")).toMatch(/^https:/)
      expect(at(answers, 1, "length")).toBe(1)
      expect(at(answers, 2, "total_result_count")).toBe(2)
      expect(at(answers, 3, "user", "email")).toBe("someone@example.com")
      expect(at(answers, 4, "user", "deletion_reason_code")).toBe(1)
      expect(at(answers, 7, "name")).toBe("Kiln lights")
    }))

  it.scoped("stays within the rate limit by itself, because of the headers", () =>
    Effect.gen(function*() {
      const world = yield* community
      const { rest, statuses } = yield* clientOf(world.BOT_TOKEN)
      const waits: Array<number> = []
      rest.on("rateLimited", ({ limit }) => {
        waits.push(limit)
      })
      const search = () => rest.post(`/guilds/${world.GUILD_ID}/members-search`, { body: {} })
      yield* Effect.promise(() => Promise.all(Arrays.makeBy(SEARCHES + 1, search)))
      expect(statuses).toEqual(Arrays.replicate(200, SEARCHES + 1))
      expect(new Set(waits)).toEqual(new Set([SEARCHES]))
      expect(rest.hashes.get("POST:/guilds/:id/members-search")?.value).toBe("member-search")
    }))

  it.scoped("waits and retries when another client of the bot has used up the limit", () =>
    Effect.gen(function*() {
      const world = yield* community
      const path = `/guilds/${world.GUILD_ID}/members-search` as const
      const other = yield* clientOf(world.BOT_TOKEN)
      yield* Effect.promise(() => Promise.all(Arrays.makeBy(SEARCHES, () => other.rest.post(path, { body: {} }))))
      const { rest, statuses } = yield* clientOf(world.BOT_TOKEN)
      const found = yield* Effect.promise(() => rest.post(path, { body: {} }))
      expect(at(found, "total_result_count")).toBe(2)
      expect(statuses).toEqual([429, 200])
    }))

  it.scoped("reports the code of an error, and the violation of each field", () =>
    Effect.gen(function*() {
      const world = yield* community
      const { rest } = yield* clientOf(world.BOT_TOKEN)
      const search = rest.post(`/guilds/${world.GUILD_ID}/members-search`, { body: { limit: 1000 } })
      const refused = yield* Effect.promise(() => search.catch((error: unknown) => error))
      expect(refused).toBeInstanceOf(DiscordAPIError)
      expect(refused).toMatchObject({ status: 400, code: "INVALID_FORM_BODY" })
      expect(String(refused)).toContain("must be 1 to 100")
    }))
})
