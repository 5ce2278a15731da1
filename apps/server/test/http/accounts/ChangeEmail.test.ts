import { EmailAddress } from "@community-messaging/domain/account/EmailAddress"
import { Effect } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onMemory } from "../TestServer.ts"

const changeEmail = (body: object) =>
  Effect.flatMap(
    Fixtures.adminKey("user:update:email"),
    ({ token }) => send("/v1/admin/users/change-email", { admin: token, body })
  )

onMemory("POST /v1/admin/users/change-email", (it) => {
  it.effect("gives the account the address, without the white space around it, neither verified nor bounced", () =>
    Effect.gen(function*() {
      const { id } = yield* Fixtures.person()
      const email = `New.${id}@Example.test`
      const response = yield* changeEmail({ user_id: id, email: `\t ${email} \n` })
      expect(response.json).toMatchObject({ user: { id, email, email_verified: false, email_bounced: false } })
    }))

  it.effect("refuses an address that another account has", () =>
    Effect.gen(function*() {
      const email = EmailAddress.make("taken@example.test")
      yield* Fixtures.person({ email })
      const { id } = yield* Fixtures.person()
      expectViolations(yield* changeEmail({ user_id: id, email }), "email: EMAIL_ALREADY_IN_USE")
    }))

  it.effect.each(
    [
      [{}, ["user_id: REQUIRED", "email: REQUIRED"]],
      [{ user_id: "x", email: 5 }, ["user_id: INVALID_SNOWFLAKE_FORMAT", "email: INVALID_FORMAT"]],
      [{ user_id: "1", email: "nobody" }, ["email: INVALID_EMAIL_FORMAT"]]
    ] as const
  )("reports every wrong or missing field: %j", ([body, violations]) =>
    Effect.gen(function*() {
      expectViolations(yield* changeEmail(body), ...violations)
    }))

  it.effect("refuses an unknown account", () =>
    Effect.gen(function*() {
      expectError(yield* changeEmail({ user_id: "1", email: "a@example.test" }), 404, "UNKNOWN_USER")
    }))
})
