import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { Effect } from "effect"
import { expect } from "vitest"
import { expectError, expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onEachStorage } from "../TestServer.ts"

const PATH = "/v1/admin/audit-log"

const end = Effect.gen(function*() {
  const audit = yield* AuditLog
  return (yield* audit.read(0, 1_000_000)).at(-1)?.sequence ?? 0
})

/** The audit log for operators, an extension of the reference. */
onEachStorage(`GET ${PATH}`, (it) => {
  it.effect("has the actor, the action, the target, and the values before and after, with personal data masked", () =>
    Effect.gen(function*() {
      const { credential, token } = yield* Fixtures.adminKey("*")
      const user = yield* Fixtures.person()
      const after = yield* end
      yield* send("/v1/admin/users/change-email", {
        admin: token,
        body: { user_id: user.id, email: "maria.lopez@mail.example" }
      })
      const page = yield* send(`${PATH}?after=${after}`, { admin: token })
      expect(page).toMatchObject({
        status: 200,
        json: {
          records: [{
            actor: { type: "admin_key", key_id: credential.id, name: "an operator" },
            action: "user.change_email",
            target_id: user.id,
            before: { email: null },
            after: { email: "m***@***.example" }
          }],
          next_after: null
        }
      })
      expect(page.text).not.toContain("maria")
    }))

  it.effect("is read page by page, each record once", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("audit:read")
      const after = yield* end
      yield* Effect.replicateEffect(Fixtures.adminKey("user:delete"), 5)
      const first = yield* send(`${PATH}?after=${after}&limit=2`, { admin: token })
      const second = yield* send(`${PATH}?after=${String(at(first.json, "next_after"))}&limit=3`, { admin: token })
      expect(at(first.json, "records")).toHaveLength(2)
      expect(at(second.json, "records")).toHaveLength(3)
      expect(at(second.json, "records", 0, "sequence")).toBeGreaterThan(Number(at(first.json, "next_after")))
      expect(at(second.json, "next_after")).toBeNull()
    }))

  it.effect("requires the right to read it", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("events:read")
      expectError(yield* send(PATH, { admin: token }), 403, "MISSING_ACL")
      expectError(yield* send(PATH), 401, "UNAUTHORIZED")
    }))

  it.effect.each(["limit=10&limit=10", "limit=10&limit=x"])(
    "refuses a repeated parameter: %s",
    (query) =>
      Effect.gen(function*() {
        const { token } = yield* Fixtures.adminKey("audit:read")
        const { json } = yield* send(`${PATH}?${query}`, { admin: token })
        expect(json).toMatchObject({
          errors: [{ path: "limit", message: "must be given once", code: "INVALID_FORMAT" }]
        })
      })
  )

  it.effect.each(["0", "101"])("refuses a limit of %s", (limit) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("audit:read")
      expectViolations(yield* send(`${PATH}?limit=${limit}`, { admin: token }), "limit: NUMBER_OUT_OF_RANGE")
    }))

  it.effect.each(["1", "100"])("accepts a limit of %s", (limit) =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("audit:read")
      expect((yield* send(`${PATH}?limit=${limit}`, { admin: token })).status).toBe(200)
    }))
})
