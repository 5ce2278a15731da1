import { KNOWN } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect, Option } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onMemory } from "../TestServer.ts"

const PATH = "/v1/oauth2/authorize/consent"
const CALLBACK = "https://app.example/callback"

/** A bot that owns a guild, and an application with its own bot. */
const botApplication = Effect.gen(function*() {
  const owner = yield* Fixtures.botWithGuild
  const added = yield* Fixtures.person({ bot: true })
  const application = yield* Fixtures.application([CALLBACK, `${CALLBACK}/2`], Option.some(added.id))
  const consent = (body: object) =>
    send(PATH, { bot: owner.token, body: { client_id: application.id, scope: "bot", ...body } })
  return { ...owner, consent }
})

onMemory("POST /v1/oauth2/authorize/consent", (it) => {
  it.effect("returns the URL for the user, with a code and the requested values", () =>
    Effect.gen(function*() {
      const { consent, guild } = yield* botApplication
      const permissions = String(KNOWN.KICK_MEMBERS)
      const response = yield* consent({
        response_type: "code",
        redirect_uri: CALLBACK,
        state: "🦊".repeat(1024),
        guild_id: guild.id,
        permissions
      })
      expect(response.status).toBe(200)
      const redirect = new URL(String(at(response.json, "redirect_to")))
      expect(`${redirect.origin}${redirect.pathname}`).toBe(CALLBACK)
      const { code, ...others } = Object.fromEntries(redirect.searchParams)
      expect(code).toMatch(/^cmc_[A-Za-z0-9_-]{49}$/)
      expect(others).toEqual({ state: "🦊".repeat(1024), guild_id: guild.id, permissions })
    }))

  it.effect.each(
    [
      [{ client_id: "1" }, 400, "INVALID_CLIENT"],
      [{ scope: "identify admin" }, 400, "INVALID_SCOPE"],
      [{ response_type: "token" }, 400, "UNSUPPORTED_RESPONSE_TYPE"],
      [{ redirect_uri: "https://evil.example" }, 400, "INVALID_REDIRECT_URI"],
      [{ guild_id: "1" }, 404, "UNKNOWN_GUILD"]
    ] as const
  )("refuses %j", ([body, status, code]) =>
    Effect.gen(function*() {
      const { consent } = yield* botApplication
      expectError(yield* consent(body), status, code)
    }))

  it.effect("refuses to add the bot of an application that has none", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const { id } = yield* Fixtures.application([CALLBACK])
      const response = yield* send(PATH, { bot: token, body: { client_id: id, scope: "bot", guild_id: guild.id } })
      expectError(response, 400, "NOT_A_BOT_APPLICATION")
    }))

  it.effect("refuses a caller who may not manage the guild", () =>
    Effect.gen(function*() {
      const { consent, user } = yield* botApplication
      const other = yield* Fixtures.botWithGuild
      yield* Fixtures.member(other.guild.id, user.id)
      expectError(yield* consent({ guild_id: other.guild.id }), 403, "MISSING_PERMISSIONS")
    }))

  it.effect("reports every missing field", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectViolations(yield* send(PATH, { bot: token, body: {} }), "client_id: REQUIRED", "scope: REQUIRED")
    }))

  it.effect("reports every wrong field", () =>
    Effect.gen(function*() {
      const { consent } = yield* botApplication
      const response = yield* consent({
        client_id: "-1",
        scope: ["bot"],
        response_type: 1,
        redirect_uri: null,
        state: "x".repeat(1025),
        permissions: "-1",
        guild_id: "9223372036854775808"
      })
      expectViolations(
        response,
        "client_id: INVALID_SNOWFLAKE_FORMAT",
        "scope: INVALID_FORMAT",
        "response_type: INVALID_FORMAT",
        "redirect_uri: INVALID_FORMAT",
        "state: STRING_LENGTH_INVALID",
        "permissions: INVALID_FORMAT",
        "guild_id: SNOWFLAKE_OUT_OF_RANGE"
      )
    }))
})
