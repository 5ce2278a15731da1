import * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as OpenApi from "@effect/platform/OpenApi"
import { Schema } from "effect"
import { InvalidFormBody, MissingAcl, RateLimited } from "../wire/ApiError.ts"
import { AdminCredentials } from "../wire/Credentials.ts"
import { RequestRules } from "../wire/RequestRules.ts"
import { field, Int64, integerText, nullable, optional } from "../wire/WireType.ts"
import { AuditRecordResource } from "./AuditRecordResource.ts"

/** The default number of records in a page of the audit log. */
export const DEFAULT_AUDIT_PAGE = 50

/** The maximum number of records in a page of the audit log. */
export const MAX_AUDIT_PAGE = 100

const position = (description: string) =>
  optional(integerText({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }), description)

/** A page of the audit log, oldest first. */
export const AuditPage = Schema.Struct({
  records: field(Schema.Array(AuditRecordResource), "The records."),
  next_after: field(nullable(Int64), "The value of `after` for the next page; null on the last page.")
}).annotations({ identifier: "AuditPage", description: "A page of the audit log, oldest first." })

/** The event stream and the audit log for operators: an extension of the API reference. */
export const OperationsGroup = HttpApiGroup.make("logs")
  .add(
    HttpApiEndpoint.get("streamEvents", "/admin/events")
      .setHeaders(Schema.Struct({
        "last-event-id": position(
          "The last received event: the stream resumes after it, or at the end of the log if that is smaller. Overrides `after` and `from`."
        )
      }))
      .setUrlParams(Schema.Struct({
        after: position(
          "A sequence number: the stream begins after it, or at the end of the log if that is smaller. By default, it begins at the oldest stored event."
        ),
        from: optional(
          Schema.Literal("now"),
          "`now`: the stream begins with the next event. Cannot be combined with `after`."
        )
      }))
      .addSuccess(
        Schema.String.pipe(HttpApiSchema.withEncoding({ kind: "Text", contentType: "text/event-stream" })).annotations({
          description:
            "An endless stream of server-sent events: `id` is the sequence number, `event` the type, `data` an Event.",
          jsonSchema: {
            type: "string",
            contentMediaType: "text/event-stream",
            // Of the `data` of each event.
            contentSchema: { $ref: "#/components/schemas/Event" }
          }
        })
      )
      .addError(MissingAcl)
      .addError(RateLimited)
      .annotate(RequestRules, { bucket: "administration" })
      .annotate(OpenApi.Identifier, "streamEvents")
      .annotate(OpenApi.Summary, "Stream events (extension)")
      .annotate(
        OpenApi.Description,
        "All past and future events in order, each at least once; with `from=now`, future events only. Requires the acl `events:read`."
      )
  )
  .add(
    HttpApiEndpoint.get("readAuditLog", "/admin/audit-log")
      .setUrlParams(Schema.Struct({
        after: position("A sequence number: the page begins after it."),
        limit: optional(
          integerText({ minimum: 1, maximum: MAX_AUDIT_PAGE }),
          `Maximum records to return; ${DEFAULT_AUDIT_PAGE} by default.`
        )
      }))
      .addSuccess(AuditPage)
      .addError(MissingAcl)
      .annotate(RequestRules, { bucket: "administration" })
      .annotate(OpenApi.Identifier, "readAuditLog")
      .annotate(OpenApi.Summary, "Read the audit log (extension)")
      .annotate(
        OpenApi.Description,
        "The administrative operations: who, what, when, the values before and after. Requires the acl `audit:read`."
      )
  )
  .addError(InvalidFormBody)
  .middleware(AdminCredentials)
  .annotate(OpenApi.Title, "Logs (extension)")
  .annotate(OpenApi.Description, "Not part of the API reference: an extension for operators.")
