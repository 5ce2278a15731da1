import { Option, Schema } from "effect"
import { Agent, request } from "node:http"
import { text } from "node:stream/consumers"
import type { ServerProcess } from "../server/ServerProcess.ts"

/** A request. An object as the body is sent as JSON. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | object
}

/** A response; status 0 stands for a broken connection, with the reason as its body. */
export interface Answer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
}

const TIMEOUT_MILLIS = 60_000

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const bytesOf = (body: Sent["body"]): string | Uint8Array | undefined =>
  body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)

/** Sends the request and waits for the response. Never fails. */
export const exchange = ({ origin }: Pick<ServerProcess, "origin">, sent: Sent): Promise<Answer> =>
  new Promise((resolve) => {
    const broken = (error: unknown) =>
      resolve({ status: 0, headers: {}, body: error instanceof Error ? error.message : String(error) })
    const body = bytesOf(sent.body)
    try {
      const outgoing = request(`${origin}${sent.path}`, {
        agent,
        method: sent.method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...sent.headers
        }
      }, (response) => {
        text(response).then(
          (received) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: received }),
          broken
        )
      })
      outgoing.setTimeout(TIMEOUT_MILLIS, () => outgoing.destroy(new Error("no response in time")))
      outgoing.on("error", broken)
      outgoing.end(body)
    } catch (error) {
      broken(error)
    }
  })

const decodeError = Schema.decodeUnknownOption(Schema.parseJson(Schema.Struct({ code: Schema.String })))

/** The status, and the code of an error, as the report shows them. */
export const outcomeOf = ({ body, status }: Answer): string =>
  status === 0 ? "broken" : [status, ...Option.toArray(decodeError(body)).map(({ code }) => code)].join(" ")
