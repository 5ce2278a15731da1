import { requireAccess } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import { AuditLog } from "@community-messaging/domain/audit/AuditLog"
import { EventLog, type SequencedEvent } from "@community-messaging/domain/EventLog"
import * as EventStream from "@community-messaging/domain/EventStream"
import { HttpServerResponse } from "@effect/platform"
import { Duration, Effect, Stream } from "effect"
import { available, Deadline } from "../Deadline.ts"
import * as AuditRecord from "../definition/AuditRecordResource.ts"
import { CallingAdminKey } from "../definition/Credentials.ts"
import * as Event from "../definition/EventResource.ts"
import { DEFAULT_AUDIT_PAGE } from "../definition/LogsGroup.ts"
import * as Refusal from "./Refusal.ts"
import type { Unhandled } from "./Unhandled.ts"

/** How often a stream without events says that it is alive, so that nobody in between closes it. */
const HEARTBEAT = Duration.seconds(15)

/** One event of a stream (WHATWG HTML, 9.2.5). JSON has no line break of its own. */
const block = (event: SequencedEvent): string => {
  const resource = Event.fromEntity(event)
  return `id: ${resource.sequence}\nevent: ${resource.type}\ndata: ${JSON.stringify(resource)}\n\n`
}

const heartbeats = Stream.repeatEffect(Effect.delay(Effect.succeed(":\n\n"), HEARTBEAT))

/** The extension endpoints of operators. */
export const make = Effect.gen(function*() {
  const audit = yield* AuditLog
  const events = yield* EventLog
  const deadline = yield* Deadline
  return {
    streamEvents: (key: AdminKey, after: number) =>
      requireAccess(key, "events:read").pipe(
        Effect.as(
          HttpServerResponse.stream(
            EventStream.from(after).pipe(
              Stream.provideService(EventLog, events),
              Stream.map(block),
              Stream.merge(heartbeats, { haltStrategy: "left" }),
              // Sent at once, so that the client knows that it is connected.
              (blocks) => Stream.concat(Stream.succeed(":\n\n"), blocks),
              Stream.encodeText
            ),
            { contentType: "text/event-stream", headers: { "cache-control": "no-store", "x-accel-buffering": "no" } }
          )
        ),
        Effect.catchTag("MissingAccessControl", Refusal.missingAcl)
      ),
    readAuditLog: (key: AdminKey, page: { readonly after: number; readonly limit: number }) =>
      requireAccess(key, "audit:read").pipe(
        // One more than is shown tells whether there is another page.
        Effect.zipRight(audit.read(page.after, page.limit + 1)),
        (read) => available(read, deadline),
        Effect.map((found) => {
          const records = found.slice(0, page.limit).map(AuditRecord.fromEntity)
          return { records, next_after: found.length > page.limit ? records.at(-1)?.sequence ?? null : null }
        }),
        Effect.catchTag("MissingAccessControl", Refusal.missingAcl)
      )
  }
})

/** Answers the extension endpoints of operators. */
export const build = (handlers: Unhandled<"logs">) =>
  Effect.map(make, ({ readAuditLog, streamEvents }) =>
    handlers
      .handleRaw("streamEvents", ({ headers, urlParams }) =>
        Effect.flatMap(
          CallingAdminKey,
          (key) => streamEvents(key, headers["last-event-id"] ?? urlParams.after ?? 0)
        ))
      .handle("readAuditLog", ({ urlParams }) =>
        Effect.flatMap(
          CallingAdminKey,
          (key) => readAuditLog(key, { after: urlParams.after ?? 0, limit: urlParams.limit ?? DEFAULT_AUDIT_PAGE })
        )))
