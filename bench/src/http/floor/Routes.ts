import type { IncomingMessage } from "node:http"
import * as Accounts from "./Accounts.ts"
import { isCodeHostBody } from "./CodeHostBody.ts"
import type { Connection, Unit } from "./Connection.ts"
import * as Consents from "./Consents.ts"
import * as Credentials from "./Credentials.ts"
import { isErrorTrackerBody, issueEmbed } from "./IssueEmbed.ts"
import * as MemberSearch from "./MemberSearch.ts"
import { branchAnnouncement, pushEmbed } from "./PushEmbed.ts"
import * as Reply from "./Reply.ts"
import * as RequestBody from "./RequestBody.ts"
import * as ScheduledMessages from "./ScheduledMessages.ts"
import * as Snowflakes from "./Snowflakes.ts"
import { isSnowflake } from "./Values.ts"
import * as Webhooks from "./Webhooks.ts"

/** A request with a known route, and the function that replies to it. */
interface Exchange {
  readonly request: IncomingMessage
  /** Without its question mark. */
  readonly query: string
  /** The guild or the webhook of the path. */
  readonly id: string
  /** The token of the path. */
  readonly token: string
  readonly answer: (reply: Reply.Reply) => void
}

/** Replies to the requests of a route. */
type Route = (exchange: Exchange) => void

const BODY_LIMIT = { usual: 1024 * 1024, webhookUpdate: 14 * 1024 * 1024, codeHost: 25 * 1024 * 1024 } as const

const headerOf = ({ request: { headers } }: Exchange, name: string): string => headers[name]?.toString() ?? ""

/** Every route, by its method and its path without parameters. */
const make = (connection: Connection): ReadonlyMap<string, Route> => {
  const { database } = connection
  const credentials = Credentials.make(database)
  const accounts = Accounts.make(connection)
  const consents = Consents.make(connection)
  const members = MemberSearch.make(database)
  const scheduledMessages = ScheduledMessages.make(database)
  const webhooks = Webhooks.make(connection, credentials, Snowflakes.make())

  const body = <A>(
    { answer, request }: Exchange,
    limit: number,
    isFit: (value: unknown) => value is A,
    use: (value: A) => void
  ) => RequestBody.read(request, limit, (value) => isFit(value) ? use(value) : answer(Reply.INVALID_FORM_BODY), answer)

  const asBot = (use: (exchange: Exchange, userId: string) => void): Route => (exchange) => {
    const identified = credentials.bot(exchange.request.headers.authorization)
    if ("refusal" in identified) exchange.answer(identified.refusal)
    else use(exchange, identified.caller)
  }

  const asAdmin =
    <A>(isFit: (value: unknown) => value is A, unit: (key: Credentials.AdminKey, value: A) => Unit): Route =>
    (exchange) => {
      const identified = credentials.admin(exchange.request.headers.authorization)
      if ("refusal" in identified) return exchange.answer(identified.refusal)
      body(
        exchange,
        BODY_LIMIT.usual,
        isFit,
        (value) => connection.commit(unit(identified.caller, value), exchange.answer)
      )
    }

  const asWebhook = <A>(
    limit: number,
    isFit: (value: unknown) => value is A,
    unitOf: (exchange: Exchange, value: A) => Unit | undefined
  ): Route =>
  (exchange) => {
    const identified = credentials.webhook(exchange.id, exchange.token)
    if ("refusal" in identified) return exchange.answer(identified.refusal)
    body(exchange, limit, isFit, (value) => {
      const unit = unitOf(exchange, value)
      if (unit === undefined) exchange.answer(Reply.NOT_IMPLEMENTED)
      else connection.commit(unit, exchange.answer)
    })
  }

  return new Map([
    [
      "POST oauth2/authorize/consent",
      asBot((exchange, userId) =>
        body(
          exchange,
          BODY_LIMIT.usual,
          Consents.isConsentRequest,
          (request) => connection.commit(consents.grant(userId, request), exchange.answer)
        )
      )
    ],
    [
      "GET users/@me/scheduled-messages",
      asBot(({ answer, query }, userId) => answer(scheduledMessages.list(userId, query)))
    ],
    [
      "POST guilds/members-search",
      asBot((exchange, userId) =>
        isSnowflake(exchange.id)
          ? body(exchange, BODY_LIMIT.usual, MemberSearch.isSearch, (search) =>
            exchange.answer(members.search(userId, exchange.id, search)))
          : exchange.answer(Reply.INVALID_FORM_BODY)
      )
    ],
    ["POST admin/users/schedule-deletion", asAdmin(Accounts.isDeletion, accounts.scheduleDeletion)],
    ["POST admin/users/change-email", asAdmin(Accounts.isEmailChange, accounts.changeEmail)],
    [
      "POST webhooks/github",
      asWebhook(BODY_LIMIT.codeHost, isCodeHostBody, (exchange, push) =>
        headerOf(exchange, "x-github-event") === "push"
          ? webhooks.post(
            exchange.id,
            headerOf(exchange, "x-github-delivery"),
            pushEmbed(push),
            branchAnnouncement(push)
          )
          : undefined)
    ],
    [
      "POST webhooks/sentry",
      asWebhook(BODY_LIMIT.usual, isErrorTrackerBody, (exchange, issue) => {
        const embed = issueEmbed(headerOf(exchange, "sentry-hook-resource"), issue)
        return embed === "unknown"
          ? undefined
          : webhooks.post(exchange.id, headerOf(exchange, "request-id"), embed)
      })
    ],
    [
      "PATCH webhooks",
      asWebhook(
        BODY_LIMIT.webhookUpdate,
        Webhooks.isWebhookChange,
        ({ id, token }, change) => typeof change.avatar === "string" ? undefined : webhooks.update(id, token, change)
      )
    ]
  ])
}

/** The parameters of a path below the version, and the name of its route without them. */
const parse = (path: string): { readonly name: string; readonly id: string; readonly token: string } => {
  const [kind = "", id = "", token = "", ...rest] = path.split("/")
  switch (kind) {
    case "guilds":
      return { name: [kind, token, ...rest].join("/"), id, token: "" }
    case "webhooks":
      return { name: [kind, ...rest].join("/"), id, token }
    default:
      return { name: path, id: "", token: "" }
  }
}

const BASE = "/v1/"

/** Replies to requests from that database. */
export const handler = (connection: Connection) => {
  const routes = make(connection)
  return (request: IncomingMessage, answer: (reply: Reply.Reply) => void): void => {
    const { method = "", url = "" } = request
    const queryAt = url.indexOf("?")
    const path = queryAt === -1 ? url : url.slice(0, queryAt)
    if (!path.startsWith(BASE)) return answer(Reply.NOT_FOUND)
    const { id, name, token } = parse(path.slice(BASE.length))
    const route = routes.get(`${method} ${name}`)
    if (route === undefined) return answer(Reply.NOT_FOUND)
    route({ request, query: queryAt === -1 ? "" : url.slice(queryAt + 1), id, token, answer })
  }
}
