import { list, member, number, text } from "./Json.ts"

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

/** The server responded with an error, or did not respond: status 0. */
export class RequestFailed extends Error {
  readonly status: number
  /** How long to wait before another attempt, in seconds. */
  readonly retryAfter: number

  constructor(status: number, message: string, retryAfter: number) {
    super(message)
    this.status = status
    this.retryAfter = retryAfter
  }
}

/** A request to this server. */
export interface Call {
  readonly method?: "GET" | "POST"
  /** Relative to the address of the server: `v1/users/@me/scheduled-messages`. */
  readonly path: string
  readonly authorization?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly signal?: AbortSignal
}

const SECONDS_TO_WAIT = 5

/** The first text that is not empty. */
const firstOf = (...texts: ReadonlyArray<string>): string => texts.find((candidate) => candidate !== "") ?? ""

const failed = async (response: Response): Promise<RequestFailed> => {
  const answer: unknown = await response.json().catch(() => undefined)
  const wait = Number(response.headers.get("retry-after") ?? SECONDS_TO_WAIT)
  return new RequestFailed(
    response.status,
    firstOf(text(answer, "message"), `The server answered ${response.status}.`),
    wait
  )
}

/** Sends the request. Throws `RequestFailed` for every status but success. */
export const send = async ({ authorization, body, headers, method = "GET", path, signal }: Call): Promise<Response> => {
  const response = await fetch(new URL(path, document.baseURI), {
    method,
    headers: {
      ...headers,
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" })
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal })
  }).catch((cause: unknown) => {
    if (signal?.aborted === true) throw cause
    throw new RequestFailed(0, "The server does not answer.", SECONDS_TO_WAIT)
  })
  if (!response.ok) throw await failed(response)
  return response
}

/** Sends the request and returns the JSON of the response. */
export const call = async (request: Call): Promise<unknown> => {
  const response = await send(request)
  return response.json()
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

/** Requests the facts for the page from the server. */
export const loadFacts = async (): Promise<Facts> => {
  const facts = await call({ path: "demo/facts.json" })
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

/** A member of the guild. */
export interface Member {
  readonly userId: string
  readonly name: string
  readonly username: string
  readonly isBot: boolean
  readonly joinedAt: Date
}

/** A page of members with the number of all matches. */
export interface Members {
  readonly members: ReadonlyArray<Member>
  readonly total: number
}

const MILLIS = 1000

const memberOf = (value: unknown): Member => ({
  userId: text(value, "user_id"),
  name: firstOf(text(value, "nickname"), text(value, "global_name"), text(value, "username")),
  username: text(value, "username"),
  isBot: member(value, "is_bot") === true,
  joinedAt: new Date((number(value, "joined_at") ?? 0) * MILLIS)
})

/** Searches the members of the guild. */
export const searchMembers = async (
  { botToken, guild }: Facts,
  query: string,
  limit: number,
  signal?: AbortSignal
): Promise<Members> => {
  const result = await call({
    method: "POST",
    path: `v1/guilds/${guild.id}/members-search`,
    authorization: `Bot ${botToken}`,
    body: { query, limit, sort_by: query === "" ? "joinedAt" : "relevance" },
    ...(signal !== undefined && { signal })
  })
  return { members: list(result, "members").map(memberOf), total: number(result, "total_result_count") ?? 0 }
}
