import { Effect } from "effect"
import { Agent, request } from "node:http"
import type { CurlRequest } from "./Shell.ts"

/** A client that repeats the request on one connection, until a response announces the end of the connection. */
const client = ({ body, headers, method, url }: CurlRequest, onAnswer: () => void) => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const post = () =>
    new Promise<{ readonly outcome: string; readonly isLast: boolean }>((resolve) => {
      const outgoing = request(url, { agent, method, headers }, (response) => {
        response.resume()
        response.on("end", () =>
          resolve({ outcome: String(response.statusCode), isLast: response.headers.connection === "close" }))
      })
      outgoing.on("error", (error) =>
        resolve({ outcome: error.message, isLast: true }))
      outgoing.end(body)
    })
  const postOn = async (outcomes: Array<string>): Promise<ReadonlyArray<string>> => {
    const { isLast, outcome } = await post()
    outcomes.push(outcome)
    onAnswer()
    return isLast ? outcomes : postOn(outcomes)
  }
  return postOn([]).finally(() => agent.destroy())
}

/**
 * Starts clients that send a request without pause. Returns all outcomes when the last client has ended: a status, or the
 * reason why a request got no response.
 */
export const loadWith = (sent: CurlRequest, clients: number) => {
  let answered = 0
  const watchers = new Map<number, () => void>()
  const onAnswer = () => {
    answered += 1
    watchers.get(answered)?.()
  }
  const outcomes = Promise.all(Array.from({ length: clients }, () => client(sent, onAnswer)))
  return {
    /** Waits until that many requests have a response. */
    answered: (count: number) => Effect.promise(() => new Promise<void>((resolve) => watchers.set(count, resolve))),
    outcomes: Effect.map(Effect.promise(() => outcomes), (all) => all.flat())
  }
}
