import { layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { expect } from "vitest"
import { TestServer, testServer } from "../../apps/server/test/http/TestServer.ts"
import * as PrismProxy from "./PrismProxy.ts"
import { community } from "./Served.ts"
import { everyOperation, type Exchange, providersNotifications } from "./Traffic.ts"

const TIMEOUT = 300_000

/** The findings of the proxy: violations of the request and of the response, in a header. */
interface Passed {
  readonly status: number
  readonly violations: string
}

const pass = (origin: string, { body, headers, method, path }: Exchange): Effect.Effect<Passed> =>
  Effect.promise(async () => {
    const response = await fetch(`${origin}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    await response.arrayBuffer()
    return { status: response.status, violations: response.headers.get("sl-violations") ?? "" }
  })

/** A proxy before the server that validates every request and every response against the document. */
class Proxy extends Context.Tag("@community-messaging/conformance/Proxy")<Proxy, { readonly origin: string }>() {
  static readonly layer = Layer.scoped(
    Proxy,
    Effect.flatMap(TestServer, ({ origin }) => PrismProxy.start(origin, origin)).pipe(
      Effect.map((origin) => ({ origin }))
    )
  )
}

const proxied = Layer.provideMerge(Proxy.layer, testServer())

const describe = ({ body, method, path }: Exchange): string =>
  `${method} ${path} ${JSON.stringify(body ?? {}).slice(0, 80)}`

layer(proxied, { excludeTestServices: true, timeout: TIMEOUT })("Prism, as a proxy before the server", (it) => {
  it.effect(
    "finds that every response is valid, and every request that the document allows",
    () =>
      Effect.gen(function*() {
        const { origin } = yield* Proxy
        const traffic = everyOperation(yield* community)
        const passed = yield* Effect.forEach(traffic, (exchange) => pass(origin, exchange))
        const seen = traffic.map((exchange, index) => ({ exchange, found: passed[index] }))
        expect(
          seen.filter(({ exchange, found }) => exchange.status !== found?.status).map(({ exchange, found }) => ({
            request: describe(exchange),
            found
          }))
        ).toEqual([])
        const complaints = seen.filter(({ exchange, found }) =>
          found?.violations.includes("\"response\"") === true || (exchange.isDocumented && found?.violations !== "")
        )
        expect(complaints.map(({ exchange, found }) => [describe(exchange), found?.violations])).toEqual([])
        // Proof that the proxy validates: it reports requests that the document does not allow.
        const unnoticed = seen.filter(({ exchange, found }) => !exchange.isDocumented && found?.violations === "")
        expect(unnoticed.map(({ exchange }) => describe(exchange))).toEqual([])
      }),
    TIMEOUT
  )

  it.effect("finds no violation in the notifications that the providers really send", () =>
    Effect.gen(function*() {
      const { origin } = yield* Proxy
      const traffic = providersNotifications(yield* community)
      expect(traffic.length).toBeGreaterThan(200)
      const passed = yield* Effect.forEach(traffic, (exchange) => pass(origin, exchange), { concurrency: 4 })
      const wrong = traffic.flatMap((exchange, index) => {
        const found = passed[index]
        return found?.status === 204 && found.violations === "" ? [] : [[describe(exchange), found]]
      })
      expect(wrong).toEqual([])
    }), TIMEOUT)
})
