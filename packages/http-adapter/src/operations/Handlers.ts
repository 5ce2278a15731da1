import type { Authentication } from "@community-messaging/domain/access/Authentication"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Effect } from "effect"
import { requireAcl } from "../server/Authentication.ts"
import type { Handlers } from "../server/Handlers.ts"
import { InvalidFormBody } from "../wire/ApiError.ts"
import { DEFAULT_AUDIT_PAGE, type OperationsGroup } from "./Api.ts"
import * as AuditRecord from "./AuditRecordResource.ts"
import { makeEventStreams } from "./EventStreams.ts"

/** Where a new event stream begins. */
interface Beginning {
  readonly after?: number
  readonly from?: "now"
}

const TWO_BEGINNINGS = new InvalidFormBody({
  errors: [{ path: "from", message: "cannot be combined with after", code: "INVALID_FORMAT" }]
})

const requireOneBeginning = ({ after, from }: Beginning) =>
  after !== undefined && from !== undefined ? Effect.fail(TWO_BEGINNINGS) : Effect.void

/** Handles the endpoints for operators. */
export const make = (
  maxEventStreamsPerKey: number
): Effect.Effect<Handlers<typeof OperationsGroup>, never, AuditLog | Authentication | EventLog> =>
  Effect.map(Effect.all([AuditLog, EventLog, makeEventStreams(maxEventStreamsPerKey)]), ([audit, events, streams]) => {
    // A client that reconnects sends the query of its first request again, and the id of the last event.
    const positionOf = (lastEventId: number | undefined, { after, from }: Beginning) =>
      Effect.provideService(
        lastEventId === undefined && from === "now"
          ? EventStream.end
          : EventStream.continuation(lastEventId ?? after ?? 0),
        EventLog,
        events
      )
    return {
      streamEvents: ({ caller, headers, urlParams }) =>
        requireOneBeginning(urlParams).pipe(
          Effect.zipRight(requireAcl(caller, "events:read")),
          Effect.zipRight(streams.takePlace(caller)),
          Effect.zipRight(positionOf(headers["last-event-id"], urlParams)),
          Effect.map((position) => streams.after(position, caller))
        ),
      readAuditLog: ({ caller, urlParams: { after = 0, limit = DEFAULT_AUDIT_PAGE } }) =>
        requireAcl(caller, "audit:read").pipe(
          // Read one more record, to know whether there is another page.
          Effect.zipRight(audit.read(after, limit + 1)),
          Effect.map((found) => {
            const records = found.slice(0, limit).map(AuditRecord.fromEntity)
            return { records, next_after: found.length > limit ? records.at(-1)?.sequence ?? null : null }
          })
        )
    }
  })
