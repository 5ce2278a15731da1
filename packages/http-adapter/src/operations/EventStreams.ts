import { Authentication } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import type { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { Duration, Effect, Metric, Stream } from "effect"
import { type Pieces, RETRY_AFTER } from "../server/replies/Reply.ts"
import { RateLimited } from "../wire/ApiError.ts"
import * as Event from "./EventResource.ts"
import { beginning, block, HEARTBEAT } from "./ServerSentEvent.ts"
import { sharedReads } from "./SharedReads.ts"

/** A stream sends a comment after this time of silence, so that no proxy closes the connection. */
const HEARTBEAT_INTERVAL = Duration.seconds(15)

const openStreams = Metric.counter("community_messaging_event_streams", { description: "Open event streams." })

const TOO_MANY = new RateLimited({ message: "Too many event streams: close some first.", retry_after: RETRY_AFTER })

/** Makes the event streams of all admin keys, at most `maxPerKey` of each. */
export const makeEventStreams = (maxPerKey: number) =>
  Effect.zipWith(EventLog, Authentication, (log, { untilRevoked }) => {
    const events = { ...log, read: sharedReads(log.read) }
    const open = new Map<CredentialId, number>()
    /** The texts of pages that several streams share. */
    const known = new WeakMap<EventStream.Page, string>()
    // So that the metric exists from the start on.
    openStreams.unsafeUpdate(0, [])

    const count = (id: CredentialId, difference: 1 | -1): void => {
      openStreams.unsafeUpdate(difference, [])
      const present = (open.get(id) ?? 0) + difference
      if (present > 0) open.set(id, present)
      else open.delete(id)
    }

    /** One text for the whole page: a write for each of its events would take longer than all other work of a stream. */
    const textOf = (page: EventStream.Page): string => {
      const text = known.get(page) ?? page.map((event) => block(Event.fromEntity(event))).join("")
      known.set(page, text)
      return text
    }

    return {
      /**
       * Takes one of the places for streams of the key until the fiber of the request ends, also by a failure. Fails if none
       * is free.
       */
      takePlace: ({ id }: AdminKey): Effect.Effect<void, RateLimited> =>
        Effect.withFiberRuntime((fiber) => {
          if ((open.get(id) ?? 0) >= maxPerKey) return Effect.fail(TOO_MANY)
          count(id, 1)
          fiber.addObserver(() => count(id, -1))
          return Effect.void
        }),
      /** Streams all events after this sequence number, past and future, as text, until the key is revoked. */
      after: (position: number, { id }: AdminKey): Pieces => {
        const texts = EventStream.pages(position, HEARTBEAT_INTERVAL).pipe(
          Stream.provideService(EventLog, events),
          Stream.map((page) => page.length === 0 ? HEARTBEAT : textOf(page))
        )
        // Sent immediately, so that the client knows that it is connected.
        return { chunks: Stream.concat(Stream.succeed(beginning(position)), texts), revoked: untilRevoked(id) }
      }
    }
  })
