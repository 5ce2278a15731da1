import { Agent, request } from "node:http"
import type { ServerProcess } from "../server/ServerProcess.ts"

/** A request. An object as the body is sent as JSON. */
export interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array | object
  /** The local address of the client. */
  readonly from?: string
}

/** A response; status 0 stands for a broken connection, with the reason as its body. */
export interface Answer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
  /** From the sending to the end of the response, in milliseconds. */
  readonly millis: number
}

const TIMEOUT_MILLIS = 60_000

const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })

const bytesOf = (body: Sent["body"]): string | Uint8Array | undefined =>
  body === undefined || typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body)

/** Sends the request and waits for the response. Never fails. */
export const exchange = ({ origin }: Pick<ServerProcess, "origin">, sent: Sent): Promise<Answer> =>
  new Promise((resolve) => {
    const began = performance.now()
    const broken = (error: unknown) =>
      resolve({
        status: 0,
        headers: {},
        body: error instanceof Error ? error.message : String(error),
        millis: performance.now() - began
      })
    const body = bytesOf(sent.body)
    try {
      const outgoing = request(`${origin}${sent.path}`, {
        agent,
        method: sent.method ?? (body === undefined ? "GET" : "POST"),
        headers: {
          ...(body !== undefined && { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
          ...sent.headers
        },
        ...(sent.from !== undefined && { localAddress: sent.from })
      }, (response) => {
        const chunks: Array<Buffer> = []
        response.on("data", (chunk: Buffer) => chunks.push(chunk))
        response.on("error", broken)
        response.on("end", () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks).toString(),
            millis: performance.now() - began
          }))
      })
      outgoing.setTimeout(TIMEOUT_MILLIS, () => outgoing.destroy(new Error("no response in time")))
      outgoing.on("error", broken)
      outgoing.end(body)
    } catch (error) {
      broken(error)
    }
  })

/** The `code` of an error's body. */
export const codeOf = ({ body }: Answer): string => {
  try {
    const parsed: unknown = JSON.parse(body)
    return typeof parsed === "object" && parsed !== null && "code" in parsed ? String(parsed.code) : ""
  } catch {
    return ""
  }
}

/** Status and code, as the report shows them. */
export const outcomeOf = (answer: Answer): string =>
  answer.status === 0 ? "broken" : `${answer.status} ${codeOf(answer)}`.trim()
