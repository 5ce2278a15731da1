import type { Authenticator } from "@community-messaging/http-adapter/server/Authentication"
import * as Body from "@community-messaging/http-adapter/server/Body"
import * as BodyMemory from "@community-messaging/http-adapter/server/BodyMemory"
import * as Deadline from "@community-messaging/http-adapter/server/Deadline"
import * as Listener from "@community-messaging/http-adapter/server/Listener"
import * as Pipeline from "@community-messaging/http-adapter/server/Pipeline"
import { RateLimits } from "@community-messaging/http-adapter/server/RateLimits"
import type { Route } from "@community-messaging/http-adapter/server/Routes"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Either, Logger, Option } from "effect"
import { createServer, type RequestListener } from "node:http"

const bug = (): never => {
  throw new Error("secret")
}

const route: Route = {
  _tag: "Route",
  path: "/v1/route",
  credentials: "bot",
  bucket: Option.none(),
  decodeParameters: () => Either.right({}),
  body: Option.none(),
  handle: bug,
  reply: bug
}

/** The origin of a server with this listener. */
const serve = (listener: RequestListener) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<ReturnType<typeof createServer>>((resume) => {
        const server = createServer(listener)
        server.listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
      }),
      (server) =>
        Effect.sync(() => {
          server.close()
          server.closeAllConnections()
        })
    ),
    (server) => {
      const address = server.address()
      return `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`
    }
  )

/** The response to a request for the route, and what the log says. */
const exchange = (served: Route, authenticate: Authenticator["authenticate"]) => {
  const log: Array<readonly [level: string, message: unknown, status: unknown]> = []
  const logger = Logger.map(Logger.structuredLogger, ({ annotations, logLevel, message }) => {
    log.push([logLevel, message, annotations["status"]])
  })
  return Effect.gen(function*() {
    const deadlines = yield* Deadline.make(Duration.infinity)
    const find = () => ({ _tag: "Found", route: served, path: {} }) as const
    const bodies = yield* Body.make(BodyMemory.DEFAULT_LIMITS)
    const pipeline = yield* Pipeline.make({ authenticate, authenticateAgain: bug }, bodies, deadlines)
    const { answer } = yield* Listener.make(find, pipeline, bodies.drain, Duration.infinity)
    const origin = yield* serve(answer)
    const response = yield* Effect.promise(() => fetch(`${origin}/v1/route`))
    return { status: response.status, text: yield* Effect.promise(() => response.text()), log }
  }).pipe(Effect.provide([RateLimits.layerOff, Logger.replace(Logger.defaultLogger, logger)]))
}

describe("A bug that throws", () => {
  const authenticated = () => Effect.dieMessage("The bug comes first.")
  const bugs: ReadonlyArray<readonly [where: string, Route, Authenticator["authenticate"]]> = [
    ["where parameters are decoded", { ...route, decodeParameters: bug }, authenticated],
    ["before authentication", route, bug]
  ]
  for (const [where, served, authenticate] of bugs) {
    it.scopedLive(`${where} is answered with 500 and is in the log, without what it says`, () =>
      Effect.gen(function*() {
        const { log, status, text } = yield* exchange(served, authenticate)
        expect(status).toBe(500)
        expect(text).not.toContain("secret")
        expect(log).toEqual([["ERROR", "Unexpected failure", undefined], ["INFO", "Request", 500]])
      }))
  }
})
