import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { expect } from "vitest"
import type { Exchange } from "../../apps/server/test/http/Recording.ts"
import { TestServer, testServer } from "../../apps/server/test/http/TestServer.ts"
import * as PrismProxy from "./PrismProxy.ts"
import { isRepeatable, OF_CONNECTION, recorded, replaying } from "./RecordedSuite.ts"

/*
 * Prism, without `--errors`, validates every exchange of the HTTP suite. The suite starts a server for each of its
 * parts, and a proxy before each would take minutes. So the exchanges of its tests are recorded; then one
 * proxy gets them from a server that repeats the recorded responses.
 *
 * The responses of the HTTP parser itself, 417, 431 and 408 for headers that do not arrive, belong to no operation, so the
 * document does not have them; http/server/ProtocolErrors tests them. 408 for a slow body is in the document.
 */

const TIMEOUT = 300_000

/** Statuses that the suite provokes. A run without them has not recorded everything. */
const PROVOKED = [200, 204, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503]

/** The findings of Prism, in a header of the response. */
const decodeFound = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Array(Schema.Struct({ location: Schema.Array(Schema.String), message: Schema.String })))
)

/** The text of the header instead of a list that is too long. */
const TOO_MANY = /^Too many violations/

/** Headers of a connection, not of a request. */
const OF_TRANSFER = new Set([
  "content-length",
  "expect",
  "host",
  "te",
  "transfer-encoding",
  "upgrade",
  ...OF_CONNECTION
])

/** Sends the request through the proxy, unchanged or without its headers and its body. */
const repeat = async (proxy: string, { body, method, path, sent }: Exchange, index: number, isWhole: boolean) => {
  const headers = Object.entries(sent).filter(([name]) => isWhole && !OF_TRANSFER.has(name))
  const response = await fetch(`${proxy}${path}`, {
    method,
    headers: { ...Object.fromEntries(headers), "x-exchange": String(index) },
    redirect: "manual",
    ...(isWhole && method !== "GET" && body !== null && { body })
  })
  await response.arrayBuffer()
  return { status: response.status, violations: response.headers.get("sl-violations") ?? "[]" }
}

/** The violations that Prism finds in the request and in the response, and whether it passed the response on. */
const passed = (proxy: string, exchange: Exchange, index: number) =>
  Effect.promise(async () => {
    const isRepeated = isRepeatable(exchange)
    const { status, violations } = await repeat(proxy, exchange, index, isRepeated)
    const isLong = TOO_MANY.test(violations)
    // If a request has too many violations, the header lists none, also none of the response.
    const readable = isLong ? (await repeat(proxy, exchange, index, false)).violations : violations
    const found = decodeFound(readable)
    const of = (side: string) => found.filter(({ location }) => location[0] === side)
    const ofRequest = isLong ? [{ location: [], message: violations }] : of("request")
    return { exchange, isPassed: status === exchange.status, isRepeated, ofRequest, ofResponse: of("response") }
  })

/** The request fields for which the server accepts more values than Prism reads from the document (decision 33). */
const ACCEPTS_MORE = new Set([
  // All integers of 64 bits, as the format `int64` means. Prism reads it as at most 2^53 - 1.
  "joined_at_gte",
  "joined_at_lte"
])

/** The fields with rules of the server that the document cannot express. */
const REFUSES_MORE = new Set([
  // The largest id: a pattern has no maximum.
  "guild_id",
  "user_id",
  "webhook_id",
  // The largest id of a provider that is a number: 2^63 - 1 and 2^63 are one double.
  "sender.id",
  "issue.id",
  // The address of another account, and invalid hosts.
  "email",
  // The content of the image.
  "avatar",
  // Its length in characters, without spaces around it.
  "name",
  // Together with `after`.
  "from",
  // An empty value, which validators read as no value.
  "status"
])

const refusedFields = Schema.decodeUnknownSync(
  Schema.parseJson(Schema.Struct({
    code: Schema.String,
    errors: Schema.optional(Schema.Array(Schema.Struct({ path: Schema.String })))
  }))
)

type Passed = Effect.Effect.Success<ReturnType<typeof passed>>

/** Requests that the server accepted although Prism reports a violation, except known ones. */
const reportedThoughAccepted = (all: ReadonlyArray<Passed>) =>
  all.filter(({ exchange, isRepeated, ofRequest }) =>
    isRepeated && exchange.status < 300 &&
    ofRequest.some(({ location }) => !ACCEPTS_MORE.has(location.slice(2).join(".")))
  ).map(({ exchange, ofRequest }) => ({ path: exchange.path, body: exchange.body, ofRequest }))

/** Requests that the server refused for their contents although Prism reports no violation, except known ones. */
const unreportedThoughRefused = (all: ReadonlyArray<Passed>) =>
  all.filter(({ exchange: { status, text }, isRepeated, ofRequest }) => {
    if (!isRepeated || status !== 400 || ofRequest.length > 0) return false
    const { code, errors = [] } = refusedFields(text)
    return code === "INVALID_FORM_BODY" && !errors.some(({ path }) => REFUSES_MORE.has(path))
  }).map(({ exchange: { body, path, text } }) => ({ path, body, text }))

/** A response that the document does not allow. */
const UNDOCUMENTED = "{\"members\":5}"

layer(testServer(), { excludeTestServices: true, timeout: TIMEOUT })("Prism, over the HTTP suite", (it) => {
  it.scoped(
    "finds that every response of every operation is valid, and every request that the server accepts",
    () =>
      Effect.gen(function*() {
        const { origin } = yield* TestServer
        const exchanges = yield* recorded
        const statuses = new Set(exchanges.map(({ status }) => status))
        expect(PROVOKED.filter((status) => !statuses.has(status))).toEqual([])
        // Proof that Prism validates: the last response is wrong.
        const search = yield* Effect.fromNullable(
          exchanges.find(({ path, status }) => path.endsWith("/members-search") && status === 200)
        )
        const all = [...exchanges, { ...search, text: UNDOCUMENTED }]
        const upstream = yield* replaying(all)
        const proxy = yield* PrismProxy.start(origin, upstream.origin)
        const found = yield* Effect.forEach(all, (exchange, index) => passed(proxy, exchange, index), {
          concurrency: 4
        })
        const wrong = found.filter(({ isPassed, ofResponse }) => !isPassed || ofResponse.length > 0)
        expect(wrong.slice(0, -1)).toEqual([])
        expect(wrong.at(-1)?.exchange.text).toBe(UNDOCUMENTED)
        expect(reportedThoughAccepted(found)).toEqual([])
        expect(unreportedThoughRefused(found)).toEqual([])
        // Proof that Prism validates requests, too: both accepted and refused ones.
        const repeated = found.filter(({ isRepeated }) => isRepeated)
        expect(repeated.filter(({ exchange: { body, status } }) => status < 300 && body !== null).length)
          .toBeGreaterThan(30)
        expect(repeated.filter(({ exchange: { status }, ofRequest }) => status === 400 && ofRequest.length > 0).length)
          .toBeGreaterThan(50)
      }),
    TIMEOUT
  )
})
