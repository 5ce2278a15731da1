import { ApiError, ConnectionError, TimeoutError } from "@community-messaging/client/ClientError"

/*
 * What the demo's server offers beside the API: the facts of the demo, and actions. All addresses are relative to that of the
 * page.
 */

const NO_ANSWER = "The server does not answer."

/** A notification that the page can send. */
export interface Sample {
  readonly title: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

/** The facts of the demo for the page. */
export interface Facts {
  readonly botToken: string
  readonly adminKey: string
  readonly guild: { readonly id: string; readonly name: string }
  readonly channels: ReadonlyArray<{ readonly id: string; readonly name: string }>
  readonly channelId: string
  readonly userId: string
  readonly samples: ReadonlyArray<Sample>
}

/** The address of the server, which has the API below `v1/`. */
export const address = (): string => new URL(".", document.baseURI).href

const member = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined

const text = (value: unknown, name: string): string => {
  const found = member(value, name)
  return typeof found === "string" ? found : ""
}

const list = (value: unknown, name: string): ReadonlyArray<unknown> => {
  const found = member(value, name)
  return Array.isArray(found) ? found : []
}

const request = async (path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(new URL(path, address()), init).catch(() => {
    throw new Error(NO_ANSWER)
  })
  if (response.ok) return response
  const reason = text(await response.json().catch(() => undefined), "message")
  throw new Error(reason === "" ? `The server answered ${response.status}.` : reason)
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

const sample = (value: unknown): Sample => ({
  title: text(value, "title"),
  path: text(value, "path"),
  headers: Object.fromEntries(
    list(value, "headers").map((header) => [text(header, "name"), text(header, "value")])
  ),
  body: member(value, "body")
})

const named = (value: unknown) => ({ id: text(value, "id"), name: text(value, "name") })

/** Requests the facts for the page. */
export const loadFacts = async (): Promise<Facts> => {
  const response = await request("demo/facts.json", {})
  const facts: unknown = await response.json()
  return {
    botToken: text(facts, "bot_token"),
    adminKey: text(facts, "admin_key"),
    guild: named(member(facts, "guild")),
    channels: list(facts, "channels").map(named),
    channelId: text(facts, "channel_id"),
    userId: text(facts, "user_id"),
    samples: list(facts, "samples").map(sample)
  }
}
