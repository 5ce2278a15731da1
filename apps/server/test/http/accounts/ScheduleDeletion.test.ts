import { DateTime, Effect } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onMemory } from "../TestServer.ts"

const schedule = (body: object) =>
  Effect.flatMap(
    Fixtures.adminKey("user:delete"),
    ({ token }) => send("/v1/admin/users/schedule-deletion", { admin: token, body })
  )

onMemory("POST /v1/admin/users/schedule-deletion", (it) => {
  it.effect("schedules the deletion that many days from now", () =>
    Effect.gen(function*() {
      const { id } = yield* Fixtures.person()
      const before = yield* DateTime.now
      const { json } = yield* schedule({
        user_id: id,
        reason_code: 7,
        public_reason: "spam",
        days_until_deletion: 14
      })
      expect(json).toMatchObject({ user: { id, deletion_reason_code: 7, deletion_public_reason: "spam" } })
      const due = DateTime.unsafeMake(String(at(json, "user", "pending_deletion_at")))
      expect(Math.round(DateTime.distance(before, due) / 86_400_000)).toBe(14)
    }))

  it.effect.each([
    { reason_code: 0, days_until_deletion: 1 },
    { reason_code: 2_147_483_647, days_until_deletion: 365, public_reason: "🦊".repeat(512) }
  ])("accepts values at their bounds: %j", (fields) =>
    Effect.gen(function*() {
      const { id } = yield* Fixtures.person()
      expect((yield* schedule({ user_id: id, ...fields })).status).toBe(200)
    }))

  it.effect.each(
    [
      ["reason_code", -1, "NUMBER_OUT_OF_RANGE"],
      ["reason_code", 2_147_483_648, "NUMBER_OUT_OF_RANGE"],
      ["reason_code", 0.5, "INVALID_FORMAT"],
      ["reason_code", "1", "INVALID_FORMAT"],
      ["days_until_deletion", 0, "NUMBER_OUT_OF_RANGE"],
      ["days_until_deletion", 366, "NUMBER_OUT_OF_RANGE"],
      ["days_until_deletion", null, "INVALID_FORMAT"],
      ["public_reason", "x".repeat(513), "STRING_LENGTH_INVALID"],
      ["public_reason", 1, "INVALID_FORMAT"],
      ["user_id", "01", "INVALID_SNOWFLAKE_FORMAT"],
      ["user_id", "9223372036854775808", "SNOWFLAKE_OUT_OF_RANGE"],
      ["user_id", 1, "INVALID_FORMAT"],
      ["user_id", undefined, "REQUIRED"],
      ["reason_code", undefined, "REQUIRED"]
    ] as const
  )("refuses values out of bounds or of a wrong type: %s %j", ([name, value, code]) =>
    Effect.gen(function*() {
      expectViolations(yield* schedule({ user_id: "1", reason_code: 1, [name]: value }), `${name}: ${code}`)
    }))

  it.effect("refuses an unknown account", () =>
    Effect.gen(function*() {
      expectError(yield* schedule({ user_id: "1", reason_code: 1 }), 404, "UNKNOWN_USER")
    }))

  it.effect("refuses a system account", () =>
    Effect.gen(function*() {
      const { id } = yield* Fixtures.person({ system: true })
      expectError(yield* schedule({ user_id: id, reason_code: 1 }), 409, "CONFLICT")
    }))
})
