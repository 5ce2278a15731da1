import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { ScheduledMessageStatus } from "@community-messaging/domain/scheduled-message/ScheduledMessageStatus"
import { isSnowflake } from "@community-messaging/domain/shared-kernel/Snowflake"
import * as ApiError from "@community-messaging/http-adapter/wire/ApiError"
import { Cause, type Effect, Exit, Option, Schema } from "effect"
import { isUtf8 } from "node:buffer"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { Admitted } from "../service/Admission.ts"
import { type Refused, refused } from "../service/Refused.ts"
import { BODY_LIMIT } from "../service/Rules.ts"
import type { Service } from "../service/Service.ts"
import * as Checks from "./BareChecks.ts"

const INVALID = refused(new ApiError.InvalidFormBody({ errors: [] }))
const INVALID_JSON = refused(new ApiError.InvalidJson())
const UNSUPPORTED = refused(new ApiError.UnsupportedMediaType())
const TOO_LARGE = refused(new ApiError.PayloadTooLarge())

const isStatus = Schema.is(ScheduledMessageStatus)

/** The whole body; none where it is longer than the limit or breaks off. */
const read = (request: IncomingMessage, limit: number, onBody: (body: Option.Option<Buffer>) => void): void => {
  const pieces: Array<Buffer> = []
  let length = 0
  let ended = false
  const end = (body: Option.Option<Buffer>) => {
    if (ended) return
    ended = true
    onBody(body)
  }
  request.on("data", (piece: Buffer) => {
    length += piece.length
    if (length > limit) return end(Option.none())
    pieces.push(piece)
  })
  request.on("end", () => {
    const [only] = pieces
    end(Option.some(pieces.length === 1 && only !== undefined ? only : Buffer.concat(pieces, length)))
  })
  request.on("error", () => end(Option.none()))
}

/** The service on `node:http` and nothing else, as fast as it can be written while it stays correct. */
export const make = (service: Service): Server => {
  const { admission, operations } = service

  const answer = (
    response: ServerResponse,
    requestId: string,
    status: number,
    headers: Readonly<Record<string, string>>,
    body: string | undefined
  ): void => {
    const common = { "x-request-id": requestId, "cache-control": "no-store", ...headers }
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

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const requestId = service.requestId(request.headers["x-request-id"]?.toString())
    const address = request.socket.remoteAddress ?? "unknown"

    const refuse = ({ body, headers, status }: Refused, more: Readonly<Record<string, string>> = {}) =>
      answer(response, requestId, status, { ...more, ...headers }, JSON.stringify(body))

    const fail = (cause: Cause.Cause<Refused>, more?: Readonly<Record<string, string>>) =>
      Option.match(Cause.failureOption(cause), {
        onSome: (refusal) => refuse(refusal, more),
        onNone: () => answer(response, requestId, 500, {}, "{\"code\":\"INTERNAL_SERVER_ERROR\"}")
      })

    const admit = <A>(admitted: Effect.Effect<Admitted<A>, Refused>, next: (admitted: Admitted<A>) => void) =>
      service.start(admitted, (exit) => {
        if (Exit.isSuccess(exit)) next(exit.value)
        else fail(exit.cause)
      })

    const perform = <A>(work: Effect.Effect<A, Refused>, headers: Readonly<Record<string, string>>) =>
      service.start(work, (exit) => {
        if (!Exit.isSuccess(exit)) return fail(exit.cause, headers)
        const { value } = exit
        if (value === undefined) return answer(response, requestId, 204, headers, undefined)
        return answer(response, requestId, 200, headers, JSON.stringify(value))
      })

    const withBody = <A>(
      limit: number,
      headers: Readonly<Record<string, string>>,
      isFit: (body: unknown) => body is A,
      next: (body: A) => void
    ): void => {
      const type = request.headers["content-type"]
      if (type !== undefined && !/^application\/(?:[^\s/;]+\+)?json\s*(?:;\s*charset=utf-?8\s*)?$/i.test(type)) {
        return refuse(UNSUPPORTED, headers)
      }
      read(request, limit, (bytes) => {
        if (Option.isNone(bytes)) return refuse(TOO_LARGE, headers)
        if (!isUtf8(bytes.value)) return refuse(INVALID_JSON, headers)
        let body: unknown
        try {
          body = JSON.parse(bytes.value.toString("utf8"))
        } catch {
          return refuse(INVALID_JSON, headers)
        }
        return isFit(body) ? next(body) : refuse(INVALID, headers)
      })
    }

    const url = request.url ?? ""
    const queryAt = url.indexOf("?")
    const segments = (queryAt === -1 ? url : url.slice(0, queryAt)).split("/")
    const [, version, first, second = "", third = "", fourth] = segments
    const { authorization } = request.headers
    const notFound = () => answer(response, requestId, 404, {}, "{\"code\":\"NOT_FOUND\"}")
    if (version !== "v1") return notFound()

    const webhook = (
      bucket: "webhook-notification" | "webhook-update",
      next: (admitted: Parameters<typeof operations.executeCodeHost>[0], headers: Record<string, string>) => void
    ) =>
      admit(
        admission.webhook(second, third, address, bucket),
        ({ headers, principal }) => next(principal, headers)
      )

    const administrate = <A>(
      isFit: (body: unknown) => body is A,
      operation: (key: AdminKey, body: A) => Effect.Effect<unknown, Refused>
    ) =>
      admit(
        admission.admin(authorization, address),
        ({ headers, principal }) =>
          withBody(BODY_LIMIT.usual, headers, isFit, (body) => perform(operation(principal, body), headers))
      )

    switch (`${request.method ?? ""} ${first ?? ""}`) {
      case "POST oauth2":
        if (second !== "authorize" || third !== "consent" || segments.length !== 5) return notFound()
        return admit(
          admission.bot(authorization, address, "consent"),
          ({ headers, principal }) =>
            withBody(
              BODY_LIMIT.usual,
              headers,
              Checks.isConsent,
              (body) => perform(operations.grantConsent(principal, body), headers)
            )
        )

      case "GET users": {
        if (second !== "@me" || third !== "scheduled-messages" || segments.length !== 5) return notFound()
        return admit(admission.bot(authorization, address, "scheduled-messages"), ({ headers, principal }) => {
          const statuses = queryAt === -1 ? [] : new URLSearchParams(url.slice(queryAt)).getAll("status")
          return statuses.every(isStatus)
            ? perform(operations.listScheduledMessages(principal, statuses), headers)
            : refuse(INVALID, headers)
        })
      }

      case "POST guilds":
        if (third !== "members-search" || segments.length !== 5) return notFound()
        return admit(
          admission.bot(authorization, address, "member-search", second),
          ({ headers, principal }) =>
            isSnowflake(second)
              ? withBody(
                BODY_LIMIT.usual,
                headers,
                Checks.isMemberSearch,
                (body) => perform(operations.searchMembers(principal, second, body), headers)
              )
              : refuse(INVALID, headers)
        )

      case "POST admin":
        if (second !== "users" || segments.length !== 5) return notFound()
        if (third === "schedule-deletion") return administrate(Checks.isScheduleDeletion, operations.scheduleDeletion)
        if (third === "change-email") return administrate(Checks.isChangeEmail, operations.changeEmail)
        return notFound()

      case "POST webhooks":
        if (segments.length !== 6) return notFound()
        if (fourth === "github") {
          const event = request.headers["x-github-event"]?.toString()
          const deliveryId = request.headers["x-github-delivery"]?.toString()
          return webhook(
            "webhook-notification",
            (principal, headers) =>
              withBody(
                BODY_LIMIT.codeHost,
                headers,
                Checks.isCodeHost,
                (body) => perform(operations.executeCodeHost(principal, { event, deliveryId }, body), headers)
              )
          )
        }
        if (fourth === "sentry") {
          const resource = request.headers["sentry-hook-resource"]?.toString()
          const deliveryId = request.headers["request-id"]?.toString()
          return webhook(
            "webhook-notification",
            (principal, headers) =>
              withBody(
                BODY_LIMIT.usual,
                headers,
                Checks.isErrorTracker,
                (body) => perform(operations.executeErrorTracker(principal, { resource, deliveryId }, body), headers)
              )
          )
        }
        return notFound()

      case "PATCH webhooks":
        if (segments.length !== 5) return notFound()
        return webhook(
          "webhook-update",
          (principal, headers) =>
            withBody(
              BODY_LIMIT.webhookUpdate,
              headers,
              Checks.isUpdateWebhook,
              (body) => perform(operations.updateWebhook(principal, third, body), headers)
            )
        )

      default:
        return notFound()
    }
  }

  return createServer(handle)
}
