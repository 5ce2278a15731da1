import { ApiError, ConnectionError, TimeoutError } from "@community-messaging/client/ClientError"
import type { PageFacts, Sample } from "./PageFacts.d.ts"

/*
 * What the demo's server offers beside the API: the facts of the demo, and actions. All addresses are relative to that of the
 * page.
 */

const NO_ANSWER = "The server does not answer."

/** The address of the server, which has the API below `v1/`. */
export const address = (): string => new URL(".", document.baseURI).href

const request = async (path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(new URL(path, address()), init).catch(() => {
    throw new Error(NO_ANSWER)
  })
  if (response.ok) return response
  const error: unknown = await response.json().catch(() => undefined)
  const hasReason = typeof error === "object" && error !== null && "message" in error
  throw new Error(hasReason ? String(error.message) : `The server answered ${response.status}.`)
}

/** Returns why a request to the API or to the demo's own pages failed, for people. */
export const reasonOf = (cause: unknown): string => {
  if (cause instanceof ConnectionError || cause instanceof TimeoutError) return NO_ANSWER
  if (cause instanceof ApiError && cause.code === "RATE_LIMITED") return "Too many requests."
  return cause instanceof Error ? cause.message : "That failed."
}

/** Posts to the server. Throws an error with the message of the server. */
export const post = async (path: string, headers: Sample["headers"] = {}, body?: unknown): Promise<void> => {
  await request(
    path,
    body === undefined
      ? { method: "POST", headers }
      : { method: "POST", headers: { ...headers, "content-type": "application/json" }, body: JSON.stringify(body) }
  )
}

/** Requests the facts for the page. */
export function loadFacts(): Promise<PageFacts>
// The server makes them by the same type, from the same build.
export async function loadFacts(): Promise<unknown> {
  const response = await request("demo/facts.json", {})
  const facts: unknown = await response.json()
  return facts
}
