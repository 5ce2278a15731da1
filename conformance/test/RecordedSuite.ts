import { Effect, Either, Schedule, Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { createServer } from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { text as textOf } from "node:stream/consumers"
import { isOperation } from "../../apps/server/test/http/Conformity.ts"
import type { Exchange } from "../../apps/server/test/http/Recording.ts"
import { endFile, EXCHANGES_FOLDER, exchangesFile, HTTP_SUITE } from "../../test/RecordedHttpSuite.ts"
import * as Tool from "./Tool.ts"

/* The exchanges of the HTTP suite, recorded once, and a server that repeats the responses. */

const decode = Schema.decodeUnknownSync(Schema.parseJson(Schema.Struct({
  method: Schema.String,
  path: Schema.String,
  sent: Schema.Record({ key: Schema.String, value: Schema.String }),
  body: Schema.NullOr(Schema.String),
  status: Schema.Number,
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  text: Schema.String
})))

const isJson = (text: string): boolean => Either.isRight(Schema.decodeUnknownEither(Schema.parseJson())(text))

const hasBody = (sent: Exchange["sent"]): boolean =>
  sent["content-length"] !== undefined || sent["transfer-encoding"] !== undefined

/** Whether Prism can get the request unchanged: it responds itself to a body that is not JSON, and long ones are not recorded. */
export const isRepeatable = ({ body, sent }: Exchange): boolean =>
  body === null ? !hasBody(sent) : isJson(body) && sent["content-encoding"] === undefined

/** Exchanges with an equal response are one kind, but each request that was validated by its contents is its own. */
const kindOf = (exchange: Exchange): string => {
  const { body, method, path, status, text } = exchange
  const isJudged = status < 300 || status === 400
  return JSON.stringify([method, status, text, isJudged ? [path.replace(/\/webhooks\/.+\//, "/"), body] : []])
}

/** Runs the HTTP suite in a process of its own, which records its exchanges in the folder. */
const runSuite = (folder: string) =>
  Effect.promise(async () => {
    // Without the variables that this run has set for its workers.
    const environment = Object.entries(process.env).filter(([name]) => !/^(?:VITEST|NODE_ENV|TEST$)/.test(name))
    const suite = spawn(process.execPath, [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--project=server",
      // Each worker more loads all modules once more, and takes the processors from the other tests.
      "--maxWorkers=1",
      "--minWorkers=1",
      HTTP_SUITE
    ], {
      cwd: `${Tool.CONFORMANCE}..`,
      env: { ...Object.fromEntries(environment), [EXCHANGES_FOLDER]: folder },
      stdio: ["ignore", "pipe", "pipe"]
    })
    const [output] = await Promise.all([textOf(suite.stdout), textOf(suite.stderr), once(suite, "close")])
    if (suite.exitCode !== 0) throw new Error(`The HTTP suite fails:\n${output}`)
  })

/** Waits until the tests of the HTTP suite, which other workers run, have ended. */
const endOfSuite = (folder: string) =>
  Effect.sync(() => existsSync(endFile(folder))).pipe(
    Effect.repeat({ until: (hasEnded) => hasEnded, schedule: Schedule.spaced("50 millis") })
  )

/** The folder of the exchanges: of this run if it has the HTTP suite, or else of a run of its own. */
const folder = Effect.gen(function*() {
  const ofRun = process.env[EXCHANGES_FOLDER]
  if (ofRun !== undefined) {
    yield* endOfSuite(ofRun)
    return ofRun
  }
  const own = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "exchanges-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true }))
  )
  yield* runSuite(own)
  return own
})

/** The exchanges of the HTTP suite with operations, each kind once. */
export const recorded = Effect.map(folder, (ofSuite) => {
  const lines = readFileSync(exchangesFile(ofSuite), "utf8").trim().split("\n").map((line) => decode(line))
  const operations = lines.filter(({ method, path }) => isOperation(method, path))
  return Array.from(new Map(operations.map((exchange) => [kindOf(exchange), exchange])).values())
})

/** Headers of a connection, not of a response. */
export const OF_CONNECTION = new Set(["connection", "content-length", "date", "keep-alive", "transfer-encoding"])

/** A server that responds to the request with number N with the response of exchange N. */
export const replaying = (exchanges: ReadonlyArray<Exchange>) =>
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
