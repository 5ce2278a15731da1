import { randomBytes } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import * as Accounts from "./Accounts.ts"
import { isCodeHostBody } from "./CodeHostBody.ts"
import * as Connection from "./Connection.ts"
import * as Consents from "./Consents.ts"
import * as Credentials from "./Credentials.ts"
import { isErrorTrackerBody, issueEmbed } from "./IssueEmbed.ts"
import * as MemberSearch from "./MemberSearch.ts"
import { pushEmbed } from "./PushEmbed.ts"
import * as Reply from "./Reply.ts"
import * as RequestBody from "./RequestBody.ts"
import * as ScheduledMessages from "./ScheduledMessages.ts"
import * as Snowflakes from "./Snowflakes.ts"
import { isSnowflake } from "./Values.ts"
import * as Webhooks from "./Webhooks.ts"

const BODY_LIMIT = { usual: 1024 * 1024, webhookUpdate: 14 * 1024 * 1024, codeHost: 25 * 1024 * 1024 } as const

const VALID_REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/

/** Names a request: by its `X-Request-Id`, if that is valid. */
const requestIds = () => {
  const process = randomBytes(8).toString("hex")
  let count = 0
  return (presented: string | undefined): string => {
    if (presented !== undefined && VALID_REQUEST_ID.test(presented)) return presented
    count += 1
    return `${process}-${count.toString(36)}`
  }
}

const headerOf = ({ headers }: IncomingMessage, name: string): string => headers[name]?.toString() ?? ""

const send = (response: ServerResponse, requestId: string, { body, headers, status }: Reply.Reply): void => {
  const common = { "cache-control": "no-store", "x-request-id": requestId, ...headers }
  if (body === undefined) {
    response.writeHead(status, common).end()
  } else {
    response.writeHead(status, {
      ...common,
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body)
    }).end(body)
  }
}

/** The eight operations on `node:http` and better-sqlite3 alone. */
export const make = (filename: string): Server => {
  const connection = Connection.open(filename)
  const { database } = connection
  const credentials = Credentials.make(database)
  const accounts = Accounts.make(database)
  const consents = Consents.make(database)
  const members = MemberSearch.make(database)
  const scheduledMessages = ScheduledMessages.make(database)
  const webhooks = Webhooks.make(database, credentials, Snowflakes.make())
  const requestId = requestIds()

  const handle = (request: IncomingMessage, answer: (reply: Reply.Reply) => void): void => {
    const url = request.url ?? ""
    const queryAt = url.indexOf("?")
    const segments = (queryAt === -1 ? url : url.slice(0, queryAt)).split("/")
    const [, version, first = "", second = "", third = "", fourth = ""] = segments
    const { authorization } = request.headers

    const withBody = <A>(limit: number, isFit: (value: unknown) => value is A, use: (body: A) => void) =>
      RequestBody.read(request, limit, (value) => isFit(value) ? use(value) : answer(Reply.INVALID_FORM_BODY), answer)

    const asBot = (use: (userId: string) => void) => {
      const identified = credentials.bot(authorization)
      if ("refusal" in identified) answer(identified.refusal)
      else use(identified.caller)
    }

    const asAdmin = <A>(
      isFit: (value: unknown) => value is A,
      unit: (key: Credentials.AdminKey, body: A) => Connection.Unit
    ) => {
      const identified = credentials.admin(authorization)
      if ("refusal" in identified) return answer(identified.refusal)
      withBody(BODY_LIMIT.usual, isFit, (body) => connection.commit(unit(identified.caller, body), answer))
    }

    const asWebhook = (use: (webhookId: string) => void) => {
      const identified = credentials.webhook(second, third)
      if ("refusal" in identified) answer(identified.refusal)
      else use(identified.caller.id)
    }

    if (version !== "v1") return answer(Reply.NOT_FOUND)
    switch (`${request.method ?? ""} ${segments.length} ${first}`) {
      case "POST 5 oauth2":
        if (second !== "authorize" || third !== "consent") return answer(Reply.NOT_FOUND)
        return asBot((userId) =>
          withBody(
            BODY_LIMIT.usual,
            Consents.isConsentRequest,
            (body) => connection.commit(consents.grant(userId, body), answer)
          )
        )

      case "GET 5 users":
        if (second !== "@me" || third !== "scheduled-messages") return answer(Reply.NOT_FOUND)
        return asBot((userId) => answer(scheduledMessages.list(userId, queryAt === -1 ? "" : url.slice(queryAt + 1))))

      case "POST 5 guilds":
        if (third !== "members-search") return answer(Reply.NOT_FOUND)
        return asBot((userId) =>
          isSnowflake(second)
            ? withBody(BODY_LIMIT.usual, MemberSearch.isSearch, (body) => answer(members.search(userId, second, body)))
            : answer(Reply.INVALID_FORM_BODY)
        )

      case "POST 5 admin":
        if (second !== "users") return answer(Reply.NOT_FOUND)
        if (third === "schedule-deletion") return asAdmin(Accounts.isDeletion, accounts.scheduleDeletion)
        return third === "change-email"
          ? asAdmin(Accounts.isEmailChange, accounts.changeEmail)
          : answer(Reply.NOT_FOUND)

      case "POST 6 webhooks":
        if (fourth === "github") {
          return asWebhook((id) =>
            withBody(BODY_LIMIT.codeHost, isCodeHostBody, (body) => {
              if (headerOf(request, "x-github-event") !== "push") return answer(Reply.NOT_IMPLEMENTED)
              connection.commit(webhooks.post(id, headerOf(request, "x-github-delivery"), pushEmbed(body)), answer)
            })
          )
        }
        if (fourth !== "sentry") return answer(Reply.NOT_FOUND)
        return asWebhook((id) =>
          withBody(BODY_LIMIT.usual, isErrorTrackerBody, (body) => {
            const embed = issueEmbed(headerOf(request, "sentry-hook-resource"), body)
            if (embed === "unknown") return answer(Reply.NOT_IMPLEMENTED)
            connection.commit(webhooks.post(id, headerOf(request, "request-id"), embed), answer)
          })
        )

      case "PATCH 5 webhooks":
        return asWebhook((id) =>
          withBody(BODY_LIMIT.webhookUpdate, Webhooks.isWebhookChange, (body) =>
            typeof body.avatar === "string"
              ? answer(Reply.NOT_IMPLEMENTED)
              : connection.commit(webhooks.update(id, third, body), answer))
        )

      default:
        return answer(Reply.NOT_FOUND)
    }
  }

  const server = createServer((request, response) => {
    const id = requestId(request.headers["x-request-id"]?.toString())
    handle(request, (reply) => send(response, id, reply))
  })
  server.on("close", () => void database.close())
  return server
}
