import { layer } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { expect } from "vitest"
import { isOperation } from "../../apps/server/test/http/Conformity.ts"
import type { Exchange } from "../../apps/server/test/http/Recording.ts"
import { TestServer, testServer } from "../../apps/server/test/http/TestServer.ts"
import * as Tool from "./Tool.ts"

/*
 * Prism, without `--errors`, sees every exchange of the HTTP suite. The suite starts a server for each of its parts, and a proxy
 * before each would take minutes. So the suite runs once and its exchanges are recorded; then one proxy asks a server that answers
 * each request as it was answered there.
 */

const PATIENCE = 300_000

const decode = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  status: Schema.Number,
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  text: Schema.String
})))

/** Statuses that the suite provokes. A run without them has not recorded everything. */
const PROVOKED = [200, 204, 400, 401, 403, 404, 409, 413, 415, 429, 500, 503]

/** Runs the HTTP suite in a process of its own, and returns its exchanges with operations, each kind of answer once. */
const recorded = Effect.promise(async () => {
  const folder = mkdtempSync(join(tmpdir(), "exchanges-"))
  const file = join(folder, "exchanges.ndjson")
  const root = `${Tool.CONFORMANCE}..`
  // What this run has set for its workers is not for another one.
  const environment = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV|TEST$)/.test(name))
  const suite = spawn(
    process.execPath,
    [join(root, "node_modules/vitest/vitest.mjs"), "run", "--project=server", "apps/server/test/http"],
    {
      cwd: root,
      env: { ...Object.fromEntries(environment), RECORD_EXCHANGES: file },
      stdio: ["ignore", "pipe", "pipe"]
    }
  )
  const [output] = await Promise.all([text(suite.stdout), text(suite.stderr), once(suite, "close")])
  if (suite.exitCode !== 0) throw new Error(`The HTTP suite fails:\n${output}`)
  const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => decode(line))
  rmSync(folder, { recursive: true })
  const operations = lines.filter(({ method, path }) => isOperation(method, path))
  return Array.from(
    new Map(operations.map((exchange) => [JSON.stringify([exchange.method, exchange.status, exchange.text]), exchange]))
      .values()
  )
})

/** What is of a connection, and not of an answer. */
const OF_CONNECTION = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"])

/** A server that answers the request with number N as the exchange N was answered. */
const replaying = (exchanges: ReadonlyArray<Exchange>) =>
  Effect.acquireRelease(
    Effect.async<{ readonly origin: string; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => {
        request.resume()
        const exchange = exchanges[Number(request.headers["x-exchange"])]
        const headers = Object.entries(exchange?.headers ?? {}).filter(([name]) => !OF_CONNECTION.has(name))
        response.writeHead(exchange?.status ?? 502, Object.fromEntries(headers)).end(exchange?.text)
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, close: () => server.close() }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )

/** What Prism complains about, of the response; and whether it passed the response on at all. */
const complaintOf = (proxy: string, { method, path, status }: Exchange, index: number) =>
  Effect.promise(async () => {
    const response = await fetch(`${proxy}${path}`, {
      method,
      headers: { "x-exchange": String(index) },
      redirect: "manual"
    })
    await response.arrayBuffer()
    const violations = response.headers.get("sl-violations") ?? ""
    const isPassed = response.status === status
    return isPassed && !violations.includes("\"response\"")
      ? []
      : [{ method, path, status, got: response.status, violations }]
  })

layer(testServer(), { excludeTestServices: true, timeout: PATIENCE })("Prism, over the HTTP suite", (it) => {
  it.scoped("finds that every response of every operation is as documented", () =>
    Effect.gen(function*() {
      const { origin } = yield* TestServer
      const exchanges = yield* recorded
      const statuses = new Set(exchanges.map(({ status }) => status))
      expect(PROVOKED.filter((status) => !statuses.has(status))).toEqual([])
      // It does look: the last one is an answer that the document does not allow.
      const search = yield* Effect.fromNullable(
        exchanges.find(({ path, status }) => path.endsWith("/members-search") && status === 200)
      )
      const all = [...exchanges, { ...search, text: "{\"members\":5}" }]
      const upstream = yield* replaying(all)
      const proxy = yield* Tool.start(
        "@stoplight/prism-cli",
        ["proxy", `${origin}/v1/openapi.json`, upstream.origin, "--host", "127.0.0.1", "--port", "0"],
        /listening on (http:\/\/127\.0\.0\.1:\d+)/
      )
      const complaints = yield* Effect.forEach(all, (exchange, index) => complaintOf(proxy, exchange, index), {
        concurrency: 4
      })
      expect(complaints.slice(0, -1).flat()).toEqual([])
      expect(complaints.at(-1)).toHaveLength(1)
    }), PATIENCE)
})
