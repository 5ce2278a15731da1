import { layer } from "@effect/vitest"
import { Effect, type Layer, Option } from "effect"
import { expect } from "vitest"
import { send } from "./Exchange.ts"
import { expectError, expectViolations } from "./Expect.ts"
import { stored, withEverything } from "./FullUser.ts"
import * as Given from "./Given.ts"
import type { Tested } from "./ServedApi.ts"

const EMAIL = "/v1/admin/users/change-email"

/** Endpoint 5. */
export const changeEmailLaws = <E>(served: Layer.Layer<Tested, E>): void =>
  layer(served, { excludeTestServices: true })("POST /v1/admin/users/change-email", (it) => {
    it.effect("gives the account the address, neither verified nor bounced", () =>
      Effect.gen(function*() {
        const { token } = yield* Given.adminKey("user:update:email")
        const { id } = yield* Given.person({}, withEverything)
        const email = `New.${id}@Example.test`
        const answer = yield* send(EMAIL, { admin: token, body: { user_id: id, email } })
        expect(answer.json).toMatchObject({ user: { id, email, email_verified: false, email_bounced: false } })
        expect((yield* stored(id)).email).toEqual(Option.some(email))
      }))

    it.effect("trims the address", () =>
      Effect.gen(function*() {
        const { token } = yield* Given.adminKey("*")
        const { id } = yield* Given.person()
        const answer = yield* send(EMAIL, { admin: token, body: { user_id: id, email: `\t ${id}@example.test \n` } })
        expect(answer.json).toMatchObject({ user: { email: `${id}@example.test` } })
      }))

    it.effect("changes nothing when the address is the account's already", () =>
      Effect.gen(function*() {
        const { token } = yield* Given.adminKey("*")
        const { email, id } = yield* Given.person({}, withEverything)
        const answer = yield* send(EMAIL, { admin: token, body: { user_id: id, email: Option.getOrThrow(email) } })
        expect(answer.json).toMatchObject({ user: { email_verified: true, email_bounced: true } })
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

    it.effect.each([
      "",
      "nobody",
      "a@b",
      "@example.test",
      "a b@example.test",
      "a@exa mple.test",
      "a..b@example.test",
      `${"x".repeat(65)}@example.test`,
      `${"x".repeat(64)}@${"y".repeat(63)}.${"y".repeat(63)}.${"y".repeat(59)}.ab`
    ])("refuses what is no address: %s", (email) =>
      Effect.gen(function*() {
        const { token } = yield* Given.adminKey("*")
        expectViolations(
          yield* send(EMAIL, { admin: token, body: { user_id: "1", email } }),
          "email: INVALID_EMAIL_FORMAT"
        )
      }))

    it.effect.each([
      (id: string) => `${id.padStart(64, "x")}@example.test`,
      (id: string) => `${id.padStart(64, "x")}@${"y".repeat(63)}.${"y".repeat(63)}.${"y".repeat(58)}.ab`
    ])("takes an address that is as long as may be", (emailOf) =>
      Effect.gen(function*() {
        const { token } = yield* Given.adminKey("*")
        const { id } = yield* Given.person()
        const answer = yield* send(EMAIL, { admin: token, body: { user_id: id, email: emailOf(id) } })
        expect(answer.status).toBe(200)
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

    it.effect("checks credentials before the body", () =>
      Effect.gen(function*() {
        expectError(yield* send(EMAIL, { body: {} }), 401, "UNAUTHORIZED")
      }))
  })
