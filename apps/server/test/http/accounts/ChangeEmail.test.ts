import { Effect, Option } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onEachStorage } from "../TestServer.ts"
import { stored, withEverything } from "./FullUser.ts"

const EMAIL = "/v1/admin/users/change-email"

onEachStorage("POST /v1/admin/users/change-email", (it) => {
  it.effect("gives the account the address, without the white space around it, neither verified nor bounced", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("user:update:email")
      const { id } = yield* Fixtures.person({}, withEverything)
      const email = `New.${id}@Example.test`
      const response = yield* send(EMAIL, { admin: token, body: { user_id: id, email: `\t ${email} \n` } })
      expect(response.json).toMatchObject({ user: { id, email, email_verified: false, email_bounced: false } })
      expect((yield* stored(id)).email).toEqual(Option.some(email))
    }))

  it.effect("refuses an address that another account has, in any case", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const { email } = yield* Fixtures.person({}, withEverything)
      const { id } = yield* Fixtures.person()
      const response = yield* send(EMAIL, {
        admin: token,
        body: { user_id: id, email: Option.getOrThrow(email).toUpperCase() }
      })
      expectViolations(response, "email: EMAIL_ALREADY_IN_USE")
    }))

  it.effect("refuses an address that another account has, in full-width letters", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const one = yield* Fixtures.person()
      const other = yield* Fixtures.person()
      const change = (id: string, email: string) => send(EMAIL, { admin: token, body: { user_id: id, email } })
      expect((yield* change(one.id, `a${one.id}@example.test`)).status).toBe(200)
      expectViolations(yield* change(other.id, `ａ${one.id}@example。ｔｅｓｔ`), "email: EMAIL_ALREADY_IN_USE")
    }))

  it.effect.each(["nobody", "ann@xn--a.test", "ann@127.0.0.1"])(
    "refuses an invalid address: %s",
    (email) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.adminKey("*")
        expectViolations(
          yield* send(EMAIL, { admin: token, body: { user_id: "1", email } }),
          "email: INVALID_EMAIL_FORMAT"
        )
      })
  )

  it.effect("reports every wrong or missing field", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      expectViolations(yield* send(EMAIL, { admin: token, body: {} }), "user_id: REQUIRED", "email: REQUIRED")
      expectViolations(
        yield* send(EMAIL, { admin: token, body: { user_id: "x", email: 5 } }),
        "user_id: INVALID_SNOWFLAKE_FORMAT",
        "email: INVALID_FORMAT"
      )
    }))

  it.effect("refuses an unknown account", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const response = yield* send(EMAIL, { admin: token, body: { user_id: "1", email: "a@example.test" } })
      expectError(response, 404, "UNKNOWN_USER")
    }))

  it.effect("refuses a key without the right", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("user:delete")
      const response = yield* send(EMAIL, { admin: token, body: { user_id: "1", email: "a@example.test" } })
      expectError(response, 403, "MISSING_ACL")
    }))
})
