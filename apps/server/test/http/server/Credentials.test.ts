import { Effect, Redacted } from "effect"
import { expect } from "vitest"
import { expectError } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onMemory } from "../TestServer.ts"

const LIST = "/v1/users/@me/scheduled-messages"
const DELETION = "/v1/admin/users/schedule-deletion"

/** Accepted and refused credentials (API gaps, Errors and Credentials). */
onMemory("Credentials", (it) => {
  const list = (authorization: string) => send(LIST, { headers: { authorization } })

  it.effect("accepts a bot token", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expect((yield* list(`Bot ${Redacted.value(token)}`)).status).toBe(200)
    }))

  it.effect.each(["bot", "BOT", "bOt"])("matches the scheme in any case: %s", (scheme) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expect((yield* list(`${scheme} ${Redacted.value(token)}`)).status).toBe(200)
    }))

  it.effect("accepts several spaces after the scheme", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expect((yield* list(`Bot    ${Redacted.value(token)}`)).status).toBe(200)
    }))

  it.effect("names the scheme if there are no credentials", () =>
    Effect.gen(function*() {
      const response = yield* send(LIST)
      expectError(response, 401, "UNAUTHORIZED")
      expect(response.headers["www-authenticate"]).toBe("Bot")
    }))

  it.effect("names the scheme if the token is malformed", () =>
    Effect.gen(function*() {
      const bot = yield* list("Bot wrong")
      const admin = yield* send(DELETION, { body: {}, headers: { authorization: "Admin wrong" } })
      expect([bot.headers["www-authenticate"], admin.headers["www-authenticate"]]).toEqual(["Bot", "Admin"])
    }))

  it.effect("names the scheme of the administrative operations", () =>
    Effect.gen(function*() {
      const response = yield* send(DELETION, { body: {} })
      expectError(response, 401, "UNAUTHORIZED")
      expect(response.headers["www-authenticate"]).toBe("Admin")
    }))

  it.effect.each(["", "Bot", "Bearer x", "Bot not-a-token", "Bot a b"])(
    "refuses anything but a bot token: %j",
    (authorization) =>
      Effect.gen(function*() {
        expectError(yield* list(authorization), 401, "UNAUTHORIZED")
      })
  )

  it.effect("refuses more than a scheme and a token", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectError(yield* list(`a Bot ${Redacted.value(token)}`), 401, "UNAUTHORIZED")
      expectError(yield* list(`Bot ${Redacted.value(token)} b`), 401, "UNAUTHORIZED")
    }))

  it.effect("refuses a token without its scheme", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectError(yield* list(Redacted.value(token)), 401, "UNAUTHORIZED")
    }))

  it.effect("refuses a token under another scheme", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectError(yield* list(`Bearer ${Redacted.value(token)}`), 401, "UNAUTHORIZED")
    }))

  it.effect("refuses an admin key outside the administrative paths", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      expectError(yield* send(LIST, { admin: token }), 401, "UNAUTHORIZED")
      expectError(yield* send(LIST, { bot: token }), 401, "UNAUTHORIZED")
    }))

  it.effect("refuses a bot token on an administrative path", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.bot
      expectError(yield* send(DELETION, { bot: token, body: {} }), 401, "UNAUTHORIZED")
      expectError(yield* send(DELETION, { admin: token, body: {} }), 401, "UNAUTHORIZED")
    }))

  it.effect("refuses the token of an account that is scheduled for deletion with 403", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.botInDeletion
      expectError(yield* send(LIST, { bot: token }), 403, "ACCOUNT_SCHEDULED_FOR_DELETION")
    }))
})
