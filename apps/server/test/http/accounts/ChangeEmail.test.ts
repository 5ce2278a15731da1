import { Effect, Option } from "effect"
import { expect } from "vitest"
import { send } from "../Exchange.ts"
import { expectError, expectViolations } from "../Expect.ts"
import * as Given from "../Given.ts"
import { onEachStorage } from "../Served.ts"
import { stored, withEverything } from "./FullUser.ts"

const EMAIL = "/v1/admin/users/change-email"

onEachStorage("POST /v1/admin/users/change-email", (it) => {
  it.effect("gives the account the address, without the white space around it, neither verified nor bounced", () =>
    Effect.gen(function*() {
      const { token } = yield* Given.adminKey("user:update:email")
      const { id } = yield* Given.person({}, withEverything)
      const email = `New.${id}@Example.test`
      const answer = yield* send(EMAIL, { admin: token, body: { user_id: id, email: `\t ${email} \n` } })
      expect(answer.json).toMatchObject({ user: { id, email, email_verified: false, email_bounced: false } })
      expect((yield* stored(id)).email).toEqual(Option.some(email))
    }))

  it.effect("refuses an address that another account has, in whatever case", () =>
    Effect.gen(function*() {
      const { token } = yield* Given.adminKey("*")
      const { email } = yield* Given.person({}, withEverything)
      const { id } = yield* Given.person()
      const answer = yield* send(EMAIL, {
        admin: token,
        body: { user_id: id, email: Option.getOrThrow(email).toUpperCase() }
      })
      expectViolations(answer, "email: EMAIL_ALREADY_IN_USE")
    }))

  it.effect("refuses what is no address", () =>
    Effect.gen(function*() {
      const { token } = yield* Given.adminKey("*")
      expectViolations(
        yield* send(EMAIL, { admin: token, body: { user_id: "1", email: "nobody" } }),
        "email: INVALID_EMAIL_FORMAT"
      )
    }))

  it.effect("tells everything that is wrong or missing", () =>
    Effect.gen(function*() {
      const { token } = yield* Given.adminKey("*")
      expectViolations(yield* send(EMAIL, { admin: token, body: {} }), "user_id: REQUIRED", "email: REQUIRED")
      expectViolations(
        yield* send(EMAIL, { admin: token, body: { user_id: "x", email: 5 } }),
        "user_id: INVALID_SNOWFLAKE_FORMAT",
        "email: INVALID_FORMAT"
      )
    }))

  it.effect("refuses an account that is not there", () =>
    Effect.gen(function*() {
      const { token } = yield* Given.adminKey("*")
      const answer = yield* send(EMAIL, { admin: token, body: { user_id: "1", email: "a@example.test" } })
      expectError(answer, 404, "UNKNOWN_USER")
    }))

  it.effect("refuses a key without the right", () =>
    Effect.gen(function*() {
      const { token } = yield* Given.adminKey("user:delete")
      const answer = yield* send(EMAIL, { admin: token, body: { user_id: "1", email: "a@example.test" } })
      expectError(answer, 403, "MISSING_ACL")
    }))
})
