import * as DocumentationPage from "@community-messaging/http-adapter/pages/DocumentationPage"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { IncomingMessage } from "node:http"
import { Socket } from "node:net"

const DOCUMENT = { openapi: "3.1.0", info: { title: "Chat", version: "1" }, paths: {} }

describe("the documentation page", () => {
  it.live("is made for later requests if the client of the first one disconnects", () =>
    Effect.gen(function*() {
      const options = yield* Deferred.make<DocumentationPage.Options>()
      const answer = yield* DocumentationPage.answer(Deferred.await(options))
      const request = new IncomingMessage(new Socket())
      const first = yield* Effect.fork(answer(request))
      yield* Effect.yieldNow()
      yield* Fiber.interrupt(first)
      yield* Deferred.succeed(options, { document: DOCUMENT, isSecret: false })
      expect((yield* answer(request)).status).toBe(200)
    }))
})
