import { Effect, Redacted } from "effect"
import { request as httpRequest } from "node:http"
import { assertDocumented } from "./Conformity.ts"
import { record, recordedBody } from "./Recording.ts"
import { TestServer } from "./TestServer.ts"

/** A response. */
export interface HttpResponse {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
  /** The body as JSON; undefined if it is not JSON. */
  readonly json: unknown
}

/** A request. A body that is neither a string nor bytes is sent as JSON. */
export interface HttpRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  /** Sent after `Authorization: Bot`. */
  readonly bot?: Redacted.Redacted
  /** Sent after `Authorization: Admin`. */
  readonly admin?: Redacted.Redacted
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const authorizationOf = ({ admin, bot }: HttpRequest): Readonly<Record<string, string>> => ({
  ...(bot !== undefined && { authorization: `Bot ${Redacted.value(bot)}` }),
  ...(admin !== undefined && { authorization: `Admin ${Redacted.value(admin)}` })
})

const bytesOf = (body: unknown): string | Uint8Array =>
  typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)

/** Sends the request over its own connection and waits for any response. */
export const sendRaw = (path: string, sent: HttpRequest = {}): Effect.Effect<HttpResponse, never, TestServer> =>
  Effect.flatMap(TestServer, ({ origin }) =>
    Effect.async<HttpResponse>((resume) => {
      const payload = sent.body === undefined ? undefined : bytesOf(sent.body)
      const method = sent.method ?? (payload === undefined ? "GET" : "POST")
      const { hostname, port } = new URL(origin)
      const sentHeaders = {
        ...(payload !== undefined && {
          "content-type": "application/json",
          ...(sent.headers?.["transfer-encoding"] === undefined && {
            "content-length": String(Buffer.byteLength(payload))
          })
        }),
        ...authorizationOf(sent),
        ...sent.headers
      }
      const outgoing = httpRequest({
        hostname,
        port,
        // Unchanged: a URL would repair it.
        path,
        method,
        agent: false,
        headers: sentHeaders
      }, (incoming) => {
        const pieces: Array<Buffer> = []
        incoming.on("data", (piece: Buffer) => pieces.push(piece))
        incoming.on("end", () => {
          const text = Buffer.concat(pieces).toString("utf8")
          const headers = Object.fromEntries(
            Object.entries(incoming.headers).map((
              [name, value]
            ) => [name, Array.isArray(value) ? value.join(", ") : value ?? ""])
          )
          const status = incoming.statusCode ?? 0
          record({ method, path, sent: sentHeaders, body: recordedBody(payload), status, headers, text })
          resume(Effect.succeed({ status, headers, text, json: parseJson(text) }))
        })
      })
      outgoing.on("error", (error) => resume(Effect.die(error)))
      outgoing.end(payload)
    }))

/** Sends the request, and checks the response against the OpenAPI document. */
export const send = (path: string, sent: HttpRequest = {}): Effect.Effect<HttpResponse, never, TestServer> =>
  Effect.tap(
    sendRaw(path, sent),
    (response) =>
      Effect.sync(() => assertDocumented(sent.method ?? (sent.body === undefined ? "GET" : "POST"), path, response))
  )
