import { MemberDirectory } from "@community-messaging/domain/member-search/MemberDirectory"
import { StorageError } from "@community-messaging/domain/shared-kernel/StorageError"
import * as StorageMemory from "@community-messaging/storage-memory/StorageMemory"
import { it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { describe, expect } from "vitest"
import { expectError } from "../Expectations.ts"
import * as Fixtures from "../Fixtures.ts"
import { send } from "../HttpClient.ts"
import { searching } from "../Searching.ts"
import { TestServer, testServer } from "../TestServer.ts"

/** Runs the test with a server, with an effect that returns the log so far. */
const logged = <A, E, R>(
  test: (
    log: ReadonlyArray<{ readonly text: string; readonly fields: Readonly<Record<string, unknown>> }>
  ) => Effect.Effect<A, E, R>,
  storage = StorageMemory.layer
) => {
  const log: Array<{ readonly text: string; readonly fields: Readonly<Record<string, unknown>> }> = []
  const logger = Logger.map(Logger.structuredLogger, (entry) => {
    log.push({
      text: JSON.stringify(entry),
      fields: { message: entry.message, level: entry.logLevel, ...entry.annotations }
    })
  })
  return Effect.provide(test(log), testServer({ logger, storage }))
}

describe("The log of requests", () => {
  it.live("has one line for a request: its method, route, status, duration and id", () =>
    logged((log) =>
      Effect.gen(function*() {
        const { search, user } = yield* searching
        yield* search("{}", { "x-request-id": "r-1" })
        expect(log.map(({ fields: { duration_ms: _duration, ...fields } }) => fields)).toEqual([{
          message: "Request",
          level: "INFO",
          method: "POST",
          route: "/v1/guilds/:guild_id/members-search",
          status: 200,
          request_id: "r-1",
          user_id: user.id
        }])
        expect(log[0]?.fields["duration_ms"]).toBeGreaterThan(0)
      })
    ))

  it.live("has the route of a refused request", () =>
    logged((log) =>
      Effect.gen(function*() {
        yield* send("/v1/webhooks/1/some-token", { method: "PATCH", body: {} })
        yield* send("/v1/webhooks/1/some-token", { method: "GET" })
        yield* send("/v1/some-token")
        expect(log.map(({ fields: { route, status } }) => [route, status])).toEqual([
          ["/v1/webhooks/:webhook_id/:token", 404],
          ["/v1/webhooks/:webhook_id/:token", 405],
          ["unmatched", 404]
        ])
      })
    ))

  it.live("has the reason and the caller of a refused request: the code, the first path and an id", () =>
    logged((log) =>
      Effect.gen(function*() {
        const { credential, token: key } = yield* Fixtures.adminKey("user:delete")
        const { token, user } = yield* Fixtures.bot
        const { path, webhook } = yield* Fixtures.webhook
        const body = { user_id: "secret", email: "secret" }
        yield* send("/v1/admin/users/schedule-deletion", { admin: key, body })
        yield* send("/v1/admin/users/change-email", { admin: key, body: { user_id: user.id, email: "a@example.test" } })
        yield* send("/v1/users/@me/scheduled-messages?status=secret", { bot: token })
        yield* send(path, { method: "PATCH", body: { name: { secret: "secret" } } })
        yield* send(`/v1/webhooks/${webhook.id}/secret`, { method: "PATCH", body: {} })
        yield* send("/v1/users/@me/scheduled-messages")
        const reasons = log.map(({ fields }) => [
          fields["error_code"],
          fields["error_path"],
          Object.entries(fields).filter(([name]) => /^(?:admin_key|user|webhook)_id$/.test(name))
        ])
        expect(reasons).toEqual([
          ["INVALID_FORM_BODY", "user_id", [["admin_key_id", credential.id]]],
          ["MISSING_ACL", undefined, [["admin_key_id", credential.id]]],
          ["INVALID_FORM_BODY", "status", [["user_id", user.id]]],
          ["INVALID_FORM_BODY", "name", [["webhook_id", webhook.id]]],
          ["ACCESS_DENIED", undefined, []],
          ["UNAUTHORIZED", undefined, []]
        ])
        expect(log.map(({ text }) => text).join("\n")).not.toContain("secret")
      })
    ))

  it.live("has the stack of an unexpected failure under the id of its request, but not its message", () =>
    logged(
      (log) =>
        Effect.gen(function*() {
          const { search, user } = yield* searching
          const response = yield* search("{}", { "x-request-id": "r-2" })
          expectError(response, 500, "INTERNAL_SERVER_ERROR")
          expect(response.text).not.toMatch(/secret|Error:|\.ts|at /)
          const [failure, request] = log
          expect(failure?.fields).toMatchObject({
            level: "ERROR",
            request_id: "r-2",
            user_id: user.id
          })
          expect(failure?.fields["cause"]).toMatch(/^TypeError\n {4}at .*RequestLog\.test\.ts/)
          expect(request?.fields).toMatchObject({ status: 500, request_id: "r-2" })
          expect(failure?.text).not.toContain("secret")
        }),
      Layer.merge(
        StorageMemory.layer,
        Layer.sync(MemberDirectory, () => ({ begin: () => Effect.die(new TypeError("secret")) }))
      )
    ))

  it.live("has the failed operation of the storage, under the id of its request", () =>
    logged(
      (log) =>
        Effect.gen(function*() {
          const { search, user } = yield* searching
          const response = yield* search("{}", { "x-request-id": "r-3" })
          expectError(response, 503, "SERVICE_UNAVAILABLE")
          expect(response.headers["retry-after"]).toBe("5")
          expect(log.map(({ fields: { level, message, request_id: id, status } }) => [level, message, id, status]))
            .toEqual([
              ["WARN", "Storage failed", "r-3", undefined],
              ["INFO", "Request", "r-3", 503]
            ])
          expect(log[0]?.fields).toMatchObject({
            user_id: user.id,
            cause: "StorageError in searching, caused by TypeError"
          })
          expect(log[0]?.text).not.toContain("secret")
        }),
      Layer.merge(
        StorageMemory.layer,
        Layer.succeed(MemberDirectory, {
          begin: () => Effect.fail(new StorageError({ operation: "searching", cause: new TypeError("secret") }))
        })
      )
    ))

  it.live("has a client that disconnected before the response", () =>
    Effect.gen(function*() {
      const begun = yield* Deferred.make<void>()
      const ended = yield* Deferred.make<unknown>()
      const logger = Logger.map(Logger.structuredLogger, ({ annotations }) => {
        Deferred.unsafeDone(ended, Effect.succeed(annotations["status"]))
      })
      const directory = Layer.succeed(MemberDirectory, {
        begin: () => Effect.zipRight(Deferred.succeed(begun, undefined), Effect.never)
      })
      yield* Effect.gen(function*() {
        const { path, token } = yield* searching
        const { origin } = yield* TestServer
        const request = yield* Effect.fork(Effect.promise((signal) =>
          fetch(`${origin}${path}`, {
            method: "POST",
            body: "{}",
            headers: { authorization: `Bot ${Redacted.value(token)}`, "content-type": "application/json" },
            signal
          })
        ))
        yield* Deferred.await(begun)
        yield* Fiber.interrupt(request)
        expect(yield* Deferred.await(ended)).toBe(499)
      }).pipe(Effect.provide(testServer({ logger, storage: Layer.merge(StorageMemory.layer, directory) })))
    }))

  it.live("has the reason why a notification posts nothing, without its content", () =>
    logged((log) =>
      Effect.gen(function*() {
        const { path, webhook } = yield* Fixtures.webhook
        const notify = (provider: string, event: string, body: object, delivery = "") =>
          send(`${path}/${provider}`, {
            headers: { "x-github-event": event, "sentry-hook-resource": event, "x-github-delivery": delivery },
            body: { sender: { login: "octocat-secret" }, ...body }
          })
        const branch = { ref: "secret-branch", ref_type: "branch", master_branch: "main" }
        yield* notify("github", "ping", {})
        yield* notify("github", "issues", { action: "edited", issue: { title: "Secret" } })
        yield* notify("github", "watch", { action: "started" }, "d1")
        yield* notify("github", "watch", { action: "started" }, "d1")
        yield* notify("github", "create", branch)
        yield* notify("github", "push", { ref: "refs/heads/secret-branch", created: true })
        yield* notify("sentry", "installation", { action: "created" })
        yield* notify("sentry", "issue", { action: "seen", data: { issue: { title: "Secret" } } })
        const notPosted = log.filter(({ fields: { message } }) => message === "Notification not posted")
        expect(notPosted.map(({ fields: { level, reason, webhook_id: id } }) => [level, reason, id])).toEqual([
          ["INFO", "event ignored", webhook.id],
          ["INFO", "action ignored", webhook.id],
          ["INFO", "duplicate delivery", webhook.id],
          ["INFO", "announced twice", webhook.id],
          ["INFO", "event ignored", webhook.id],
          ["INFO", "action ignored", webhook.id]
        ])
        for (const { fields, text } of notPosted) {
          expect(fields["request_id"]).toBeTypeOf("string")
          expect(text).not.toMatch(/secret/i)
        }
      })
    ))
})
