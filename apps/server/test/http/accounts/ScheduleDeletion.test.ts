import { DateTime, Effect, Option } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { onEachStorage } from "../TestServer.ts"
import { iso, stored, withEverything } from "./FullUser.ts"

const DELETION = "/v1/admin/users/schedule-deletion"

onEachStorage("POST /v1/admin/users/schedule-deletion", (it) => {
  it.effect("schedules the deletion that many days from now", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("user:delete")
      const { id } = yield* Fixtures.person()
      const before = yield* DateTime.now
      const response = yield* send(DELETION, {
        admin: token,
        body: { user_id: id, reason_code: 7, public_reason: "spam", days_until_deletion: 14 }
      })
      const user = yield* stored(id)
      const due = Option.getOrThrow(user.pendingDeletionAt)
      expect(Math.round(DateTime.distance(before, due) / 86_400_000)).toBe(14)
      expect(user).toMatchObject({
        deletionReasonCode: Option.some(7),
        deletionPublicReason: Option.some("spam")
      })
      expect(response.json).toMatchObject({
        user: {
          id,
          pending_deletion_at: DateTime.formatIso(due),
          deletion_reason_code: 7,
          deletion_public_reason: "spam"
        }
      })
    }))

  it.effect("returns all fields of the account by their names in the reference", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const { id } = yield* Fixtures.person({ username: "ada", discriminator: 42, globalName: "Ada" }, withEverything)
      const response = yield* send(DELETION, {
        admin: token,
        body: { user_id: id, reason_code: 2_147_483_647, public_reason: "" }
      })
      const due = Option.getOrThrow((yield* stored(id)).pendingDeletionAt)
      expect(response.json).toEqual({
        user: {
          id,
          username: "ada",
          discriminator: 42,
          global_name: "Ada",
          bot: false,
          system: false,
          flags: "1152921504606846976",
          avatar: "avatar",
          banner: "banner",
          bio: "bio",
          pronouns: "they",
          accent_color: 0xff0000,
          email: `person.${id}@example.test`,
          email_verified: true,
          email_bounced: true,
          phone: "+123",
          date_of_birth: "1815-12-10",
          locale: "en-GB",
          premium_type: 2,
          premium_since: iso,
          premium_until: iso,
          suspicious_activity_flags: 3,
          temp_banned_until: iso,
          pending_deletion_at: DateTime.formatIso(due),
          pending_bulk_message_deletion_at: iso,
          deletion_reason_code: 2_147_483_647,
          deletion_public_reason: "",
          acls: ["a"],
          traits: ["t"],
          has_totp: true,
          authenticator_types: [0, 1],
          last_active_at: iso,
          last_active_ip: "192.0.2.1",
          last_active_ip_reverse: "host.example",
          last_active_location: "Berlin"
        }
      })
    }))

  it.effect("returns null for fields without a value", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const { id } = yield* Fixtures.person()
      const response = yield* send(DELETION, { admin: token, body: { user_id: id, reason_code: 1 } })
      expect(response.json).toMatchObject({ user: { email: null, premium_since: null, last_active_ip: null } })
    }))

  it.effect.each([
    { reason_code: 0 },
    { reason_code: 2_147_483_647 },
    { days_until_deletion: 1 },
    { days_until_deletion: 365 },
    { public_reason: "🦊".repeat(512) }
  ])("accepts values at their bounds: %j", (fields) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const { id } = yield* Fixtures.person()
      const response = yield* send(DELETION, { admin: token, body: { user_id: id, reason_code: 1, ...fields } })
      expect(response.status).toBe(200)
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
      ["user_id", "", "INVALID_SNOWFLAKE_FORMAT"],
      ["user_id", "9223372036854775808", "SNOWFLAKE_OUT_OF_RANGE"],
      ["user_id", 1, "INVALID_FORMAT"]
    ] as const
  )("refuses values out of bounds or of a wrong type: %s %j", ([name, value, code]) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const response = yield* send(DELETION, { admin: token, body: { user_id: "1", reason_code: 1, [name]: value } })
      expectViolations(response, `${name}: ${code}`)
    }))

  it.effect("reports every missing field", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      expectViolations(
        yield* send(DELETION, { admin: token, body: {} }),
        "user_id: REQUIRED",
        "reason_code: REQUIRED"
      )
    }))

  it.effect("refuses an unknown account", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const response = yield* send(DELETION, { admin: token, body: { user_id: "1", reason_code: 1 } })
      expectError(response, 404, "UNKNOWN_USER")
    }))

  it.effect("refuses a system account", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("*")
      const { id } = yield* Fixtures.person({ system: true })
      const response = yield* send(DELETION, { admin: token, body: { user_id: id, reason_code: 1 } })
      expectError(response, 409, "CONFLICT")
      expect((yield* stored(id)).pendingDeletionAt).toEqual(Option.none())
    }))

  it.effect("refuses a key without the right, before it looks for the account", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("user:update:email")
      const response = yield* send(DELETION, { admin: token, body: { user_id: "1", reason_code: 1 } })
      expectError(response, 403, "MISSING_ACL")
    }))

  it.effect("checks the body before the right", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey()
      expectViolations(
        yield* send(DELETION, { admin: token, body: { user_id: "1" } }),
        "reason_code: REQUIRED"
      )
    }))
})
