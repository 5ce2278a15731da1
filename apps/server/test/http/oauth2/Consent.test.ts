import { GuildRepository } from "@community-messaging/domain/guild/GuildRepository"
import { MembershipRepository } from "@community-messaging/domain/guild/MembershipRepository"
import { ConsentRepository } from "@community-messaging/domain/oauth2/ConsentRepository"
import { KNOWN } from "@community-messaging/domain/shared-kernel/Permissions"
import { Effect, Option } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { type HttpResponse, send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onEachStorage, TestServer } from "../TestServer.ts"

const PATH = "/v1/oauth2/authorize/consent"
const CALLBACK = "https://app.example/callback"

const redirectOf = (response: HttpResponse): string => String(at(response.json, "redirect_to"))

/** A bot that owns a guild, and an application with its own bot. */
const botApplication = Effect.gen(function*() {
  const owner = yield* Fixtures.botWithGuild
  const added = yield* Fixtures.person({ bot: true })
  const application = yield* Fixtures.application([CALLBACK], Option.some(added.id))
  const consent = (body: object) =>
    send(PATH, { bot: owner.token, body: { client_id: application.id, scope: "bot", ...body } })
  return { ...owner, added, application, consent }
})

onEachStorage("POST /v1/oauth2/authorize/consent", (it) => {
  it.effect("returns the URL for the user, with a code", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const application = yield* Fixtures.application([CALLBACK])
      const response = yield* send(PATH, {
        bot: token,
        body: { client_id: application.id, scope: "identify", response_type: "code", redirect_uri: CALLBACK }
      })
      expect(response.status).toBe(200)
      expect(redirectOf(response)).toMatch(/^https:\/\/app\.example\/callback\?code=cmc_[A-Za-z0-9_-]{49}$/)
    }))

  it.effect("replaces a lone surrogate in the state", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const application = yield* Fixtures.application([CALLBACK])
      const body = `{"client_id":"${application.id}","scope":"identify","state":"a\\ud800b"}`
      const response = yield* send(PATH, { bot: token, body })
      expect(redirectOf(response)).toContain("&state=a%EF%BF%BDb")
    }))

  it.effect("adds the bot to the guild with a role of the requested permissions", () =>
    Effect.gen(function*() {
      const { added, consent, guild, user } = yield* botApplication
      const response = yield* consent({ guild_id: guild.id, permissions: String(KNOWN.KICK_MEMBERS) })
      expect(redirectOf(response)).toMatch(new RegExp(`&guild_id=${guild.id}&permissions=${KNOWN.KICK_MEMBERS}$`))
      const guilds = yield* GuildRepository
      const role = Option.getOrThrow(yield* Effect.orDie(guilds.findManagedRole(guild.id, added.id)))
      expect(role.permissions).toBe(KNOWN.KICK_MEMBERS)
      const memberships = yield* MembershipRepository
      expect(Option.getOrThrow(yield* Effect.orDie(memberships.find(guild.id, added.id)))).toMatchObject({
        roleIds: [role.id],
        inviterId: Option.some(user.id),
        joinSourceType: Option.some(3)
      })
    }))

  it.effect("sends users to a page of its own when a bot's application has no redirect URI", () =>
    Effect.gen(function*() {
      const owner = yield* Fixtures.botWithGuild
      const application = yield* Fixtures.application([], Option.some((yield* Fixtures.person({ bot: true })).id))
      const response = yield* send(PATH, {
        bot: owner.token,
        body: { client_id: application.id, scope: "bot", guild_id: owner.guild.id }
      })
      const { origin, pathname, search } = new URL(redirectOf(response))
      expect(origin).toBe((yield* TestServer).origin)
      const page = yield* send(`${pathname}${search}`)
      expect(page.status).toBe(200)
      expect(page.headers).toMatchObject({ "referrer-policy": "no-referrer", "cache-control": "no-store" })
      expect(page.headers["content-type"]).toMatch(/^text\/html/)
    }))

  it.effect("refuses an unknown application", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      const response = yield* send(PATH, { bot: token, body: { client_id: "1", scope: "identify" } })
      expectError(response, 400, "INVALID_CLIENT")
    }))

  it.effect.each(["", "identify admin"])(
    "refuses the scope %j",
    (scope) =>
      Effect.gen(function*() {
        const { consent } = yield* botApplication
        expectError(yield* consent({ scope }), 400, "INVALID_SCOPE")
      })
  )

  it.effect.each(["token", ""])("refuses the response type %j", (response_type) =>
    Effect.gen(function*() {
      const { consent } = yield* botApplication
      expectError(yield* consent({ response_type }), 400, "UNSUPPORTED_RESPONSE_TYPE")
    }))

  it.effect.each(["https://evil.example", ""])(
    "refuses the redirect URI %j",
    (redirect_uri) =>
      Effect.gen(function*() {
        const { consent } = yield* botApplication
        expectError(yield* consent({ redirect_uri }), 400, "INVALID_REDIRECT_URI")
      })
  )

  it.effect("refuses to add the bot of an application that has none", () =>
    Effect.gen(function*() {
      const { guild, token } = yield* Fixtures.botWithGuild
      const application = yield* Fixtures.application([CALLBACK])
      const response = yield* send(PATH, {
        bot: token,
        body: { client_id: application.id, scope: "bot", guild_id: guild.id }
      })
      expectError(response, 400, "NOT_A_BOT_APPLICATION")
    }))

  it.effect("refuses an unknown guild, and one without the caller", () =>
    Effect.gen(function*() {
      const { consent } = yield* botApplication
      const other = yield* Fixtures.botWithGuild
      expectError(yield* consent({ guild_id: "1" }), 404, "UNKNOWN_GUILD")
      expectError(yield* consent({ guild_id: other.guild.id }), 404, "UNKNOWN_GUILD")
    }))

  it.effect("refuses a caller who may not manage the guild, and stores nothing", () =>
    Effect.gen(function*() {
      const { application, consent, user } = yield* botApplication
      const other = yield* Fixtures.botWithGuild
      yield* Fixtures.member(other.guild.id, user.id)
      expectError(yield* consent({ guild_id: other.guild.id }), 403, "MISSING_PERMISSIONS")
      const consents = yield* ConsentRepository
      expect(yield* Effect.orDie(consents.find(user.id, application.id))).toEqual(Option.none())
    }))

  it.effect("refuses a bot more permissions than the caller has", () =>
    Effect.gen(function*() {
      const { consent, user } = yield* botApplication
      const other = yield* Fixtures.botWithGuild
      const managers = yield* Fixtures.role(other.guild.id, KNOWN.MANAGE_GUILD)
      yield* Fixtures.member(other.guild.id, user.id, { roleIds: [managers.id] })
      const asking = (permissions: bigint) => consent({ guild_id: other.guild.id, permissions: String(permissions) })
      expectError(yield* asking(KNOWN.BAN_MEMBERS), 403, "MISSING_PERMISSIONS")
      expect((yield* asking(KNOWN.MANAGE_GUILD)).status).toBe(200)
    }))

  it.effect("accepts a state of 1024 characters and refuses one of 1025", () =>
    Effect.gen(function*() {
      const { consent } = yield* botApplication
      expect((yield* consent({ state: "🦊".repeat(1024) })).status).toBe(200)
      expectViolations(yield* consent({ state: "x".repeat(1025) }), "state: STRING_LENGTH_INVALID")
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
        state: {},
        permissions: "-1",
        guild_id: "9223372036854775808"
      })
      expectViolations(
        response,
        "client_id: INVALID_SNOWFLAKE_FORMAT",
        "scope: INVALID_FORMAT",
        "response_type: INVALID_FORMAT",
        "redirect_uri: INVALID_FORMAT",
        "state: INVALID_FORMAT",
        "permissions: INVALID_FORMAT",
        "guild_id: SNOWFLAKE_OUT_OF_RANGE"
      )
    }))
})
