import { requireAccess } from "@community-messaging/domain/access/Authentication"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import type { DomainEvent } from "@community-messaging/domain/event/DomainEvent"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import { EventLog, type SequencedEvent } from "@community-messaging/domain/shared-kernel/EventLog"
import { type Context, Duration, Effect, Stream } from "effect"
import type { Handlers } from "../server/Handlers.ts"
import type { Pieces } from "../server/Reply.ts"
import { MissingAcl } from "../wire/ApiError.ts"
import { DEFAULT_AUDIT_PAGE, type OperationsGroup } from "./Api.ts"
import * as AuditRecord from "./AuditRecordResource.ts"
import * as Event from "./EventResource.ts"

/** A comment, which clients ignore. */
const HEARTBEAT = ":\n\n"

/** How often a stream without events sends a comment, so that no proxy closes the connection. */
const HEARTBEAT_INTERVAL = Duration.seconds(15)

/** Renders an event of the stream (WHATWG HTML, 9.2.5). JSON text has no line breaks. */
const block = (event: SequencedEvent<DomainEvent>): string => {
  const resource = Event.fromEntity(event)
  return `id: ${resource.sequence}\nevent: ${resource.type}\ndata: ${JSON.stringify(resource)}\n\n`
}

const heartbeats = Stream.repeatEffect(Effect.delay(Effect.succeed(HEARTBEAT), HEARTBEAT_INTERVAL))

/** Streams all events after this sequence number, past and future, as text. */
const streamAfter = (events: Context.Tag.Service<EventLog>, after: number): Pieces =>
  EventStream.from(after).pipe(
    Stream.provideService(EventLog, events),
    Stream.map(block),
    Stream.merge(heartbeats, { haltStrategy: "left" }),
    // Sent immediately, so that the client knows that it is connected.
    (blocks) => Stream.concat(Stream.succeed(HEARTBEAT), blocks)
  )

/** Handles the endpoints for operators. */
export const make: Effect.Effect<Handlers<typeof OperationsGroup>, never, AuditLog | EventLog> = Effect.map(
  Effect.all([AuditLog, EventLog]),
  ([audit, events]) => ({
    streamEvents: ({ caller, headers, urlParams }) =>
      requireAccess(caller, "events:read").pipe(
        Effect.as(streamAfter(events, headers["last-event-id"] ?? urlParams.after ?? 0)),
        Effect.catchTag("MissingAccessControl", () => Effect.fail(new MissingAcl()))
      ),
    readAuditLog: ({ caller, urlParams: { after = 0, limit = DEFAULT_AUDIT_PAGE } }) =>
      requireAccess(caller, "audit:read").pipe(
        // Read one more record, to know whether there is another page.
        Effect.zipRight(audit.read(after, limit + 1)),
        Effect.map((found) => {
          const records = found.slice(0, limit).map(AuditRecord.fromEntity)
          return { records, next_after: found.length > limit ? records.at(-1)?.sequence ?? null : null }
        }),
        Effect.catchTag("MissingAccessControl", () => Effect.fail(new MissingAcl()))
      )
  })
)
