import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { Effect } from "effect"
import { expect } from "vitest"
import { expectViolations } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { at } from "../JsonPath.ts"
import { onMemory } from "../TestServer.ts"

const PATH = "/v1/admin/audit-log"

const end = Effect.gen(function*() {
  const audit = yield* AuditLog
  return (yield* audit.read(0, 1_000_000)).at(-1)?.sequence ?? 0
})

/** The audit log for operators, an extension of the reference. */
onMemory(`GET ${PATH}`, (it) => {
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

  it.effect("has pages of 1 to 100 records", () =>
    Effect.gen(function*() {
      const { token } = yield* Fixtures.adminKey("audit:read")
      const withLimit = (limit: number) => send(`${PATH}?limit=${limit}`, { admin: token })
      for (const limit of [0, 101]) expectViolations(yield* withLimit(limit), "limit: NUMBER_OUT_OF_RANGE")
      for (const limit of [1, 100]) expect((yield* withLimit(limit)).status).toBe(200)
    }))
})
