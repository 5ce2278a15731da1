import type { Attempt } from "@community-messaging/client/Attempt"
import type { Client } from "@community-messaging/client/Client"
import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import { RateLimits } from "@community-messaging/http-adapter/server/rate-limits/RateLimits"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { expect } from "vitest"
import * as Fixtures from "../http/Fixtures.ts"
import { onMemory, TestServer, testServer } from "../http/TestServer.ts"
import { apiErrorOf, clientWith, pathOf } from "./ConnectedClient.ts"

const CALLBACK = "https://app.example/callback"

/** The data of the calls below, and a client of a bot and an administrator. */
const world = Effect.gen(function*() {
  const bot = yield* Fixtures.bot
  const guild = yield* Fixtures.guild((yield* Fixtures.person()).id)
  yield* Fixtures.member(guild.id, bot.user.id)
  const admin = yield* Fixtures.adminKey("user:delete")
  return {
    guild,
    application: yield* Fixtures.application([CALLBACK]),
    person: yield* Fixtures.person(),
    system: yield* Fixtures.person({ system: true }),
    made: yield* Fixtures.webhook,
    client: yield* clientWith({ bot: bot.token, admin: admin.token })
  }
})

type World = Effect.Effect.Success<typeof world>

const consent = (body: object) => ({ application, client }: World) =>
  client.oauth2.grantConsent({ body: { client_id: application.id, scope: "identify", ...body } })

const deletion = (user: (world: World) => string) => (all: World) =>
  all.client.administration.scheduleDeletion({ body: { user_id: user(all), reason_code: 1 } })

const update = (path: object) => ({ client, made }: World) =>
  client.webhooks.update({ path: { ...pathOf(made), ...path }, body: {} })

const REFUSED: ReadonlyArray<readonly [code: string, status: number, call: (world: World) => Promise<unknown>]> = [
  ["INVALID_CLIENT", 400, consent({ client_id: "1" })],
  ["INVALID_SCOPE", 400, consent({ scope: "everything" })],
  ["UNSUPPORTED_RESPONSE_TYPE", 400, consent({ response_type: "token" })],
  ["INVALID_REDIRECT_URI", 400, consent({ redirect_uri: "https://other.example" })],
  ["NOT_A_BOT_APPLICATION", 400, (all) => consent({ scope: "bot", guild_id: all.guild.id })(all)],
  [
    "MISSING_PERMISSIONS",
    403,
    ({ client, guild }) => client.guildMembers.search({ path: { guild_id: guild.id }, body: {} })
  ],
  ["UNKNOWN_GUILD", 404, ({ client }) => client.guildMembers.search({ path: { guild_id: "1" }, body: {} })],
  ["UNKNOWN_USER", 404, deletion(() => "1")],
  ["CONFLICT", 409, deletion(({ system }) => system.id)],
  [
    "MISSING_ACL",
    403,
    ({ client, person }) =>
      client.administration.changeEmail({ body: { user_id: person.id, email: "ada@example.org" } })
  ],
  ["MISSING_ACL", 403, ({ client }) => client.logs.streamEvents()[Symbol.asyncIterator]().next()],
  [
    "PAYLOAD_TOO_LARGE",
    413,
    ({ client, person }) => client.administration.changeEmail({ body: { user_id: person.id, email: "a".repeat(5000) } })
  ],
  ["ACCESS_DENIED", 403, update({ token: "another-token" })],
  ["UNKNOWN_WEBHOOK", 404, update({ webhook_id: "1" })]
]

onMemory("A client in JavaScript recognises the errors of the API", (it) => {
  it.effect.each(REFUSED)("%s", ([code, status, call]) =>
    Effect.gen(function*() {
      const all = yield* world
      const error = yield* apiErrorOf(() => call(all))
      expect(error).toMatchObject({ code, status, violations: [], retryAfter: null })
      expect(error.requestId).not.toBeNull()
    }))

  it.effect("UNAUTHORIZED, without the token in the error", () =>
    Effect.gen(function*() {
      const token = Redacted.make("cmb_unknown_token")
      const client = yield* clientWith({ admin: token, bot: token })
      for (const call of [() => client.scheduledMessages.list(), () => client.logs.readAuditLog()]) {
        const error = yield* apiErrorOf(call)
        expect(error).toMatchObject({ code: "UNAUTHORIZED", status: 401 })
        expect(`${String(error)} ${error.stack ?? ""} ${JSON.stringify(error)}`).not.toContain("cmb_unknown")
      }
    }))

  it.effect("ACCOUNT_SCHEDULED_FOR_DELETION", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.botInDeletion
      const client = yield* clientWith({ bot: token })
      const error = yield* apiErrorOf(() => client.scheduledMessages.list())
      expect(error).toMatchObject({ code: "ACCOUNT_SCHEDULED_FOR_DELETION", status: 403 })
    }))

  it.effect("INVALID_FORM_BODY, with all violations", () =>
    Effect.gen(function*() {
      const { client, guild } = yield* world
      const body = { limit: 1000, query: "a".repeat(101) }
      const error = yield* apiErrorOf(() => client.guildMembers.search({ path: { guild_id: guild.id }, body }))
      expect(error.code).toBe("INVALID_FORM_BODY")
      expect(error.violations.map(({ code, path }) => `${path} ${code}`).sort()).toEqual([
        "limit NUMBER_OUT_OF_RANGE",
        "query STRING_LENGTH_INVALID"
      ])
    }))

  it.effect("NOT_FOUND, if the base URL is wrong", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const { origin } = yield* TestServer
      const client = yield* clientWith({ bot: token }, { baseUrl: `${origin}/chat` })
      expect(yield* apiErrorOf(() => client.scheduledMessages.list())).toMatchObject({ code: "NOT_FOUND", status: 404 })
    }))
})

/** Calls until the call rejects. */
const untilRefused = (call: () => ReturnType<Client["scheduledMessages"]["list"]>) =>
  apiErrorOf(async () => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- One call after another.
      await call()
    }
  })

layer(testServer({ rateLimits: RateLimits.layer({ "scheduled-messages": { limit: 3, window: "1 hour" } }) }), {
  excludeTestServices: true
})("A client in JavaScript over a rate limit", (it) => {
  it.effect("gets the time to wait, and before that the remaining quota", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const attempts: Array<Attempt> = []
      const client = yield* clientWith({ bot: token }, { retries: 2, onAttempt: (attempt) => attempts.push(attempt) })
      const error = yield* untilRefused(() => client.scheduledMessages.list())
      expect(error).toMatchObject({ code: "RATE_LIMITED", status: 429 })
      // The wait is longer than `maxRetryDelay`, so it is not repeated.
      expect(error.retryAfter).toBeGreaterThan(30)
      expect(attempts.map(({ rateLimit, status }) => [status, rateLimit?.remaining])).toEqual([
        [200, 2],
        [200, 1],
        [200, 0],
        [429, 0]
      ])
    }))
})

layer(
  testServer({
    storage: Layer.merge(
      StorageMemory.layer,
      Layer.succeed(MemberDirectory, { search: () => Effect.fail(new StorageError({ operation: "search" })) })
    )
  }),
  { excludeTestServices: true }
)("A client in JavaScript of a server with an unavailable storage", (it) => {
  it.effect("repeats a search as often as it may, after the time that the server requires", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const waits: Array<number> = []
      const client = yield* clientWith({ bot: token }, {
        retries: 2,
        timing: {
          sleep: (milliseconds, signal) => {
            if (milliseconds !== 30_000) {
              waits.push(milliseconds)
              return Promise.resolve()
            }
            return new Promise((resolve) => signal.addEventListener("abort", () => resolve()))
          },
          random: () => 0
        }
      })
      const error = yield* apiErrorOf(() => client.guildMembers.search({ path: { guild_id: guild.id }, body: {} }))
      expect(error).toMatchObject({ code: "SERVICE_UNAVAILABLE", status: 503, retryAfter: 5 })
      expect(waits).toEqual([5000, 5000])
    }))
})
