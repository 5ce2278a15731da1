import type { Authentication } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import type { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { type Context, Duration, Effect, Stream } from "effect"
import { nextTurn } from "../server/NextTurn.ts"
import type { Pieces } from "../server/Reply.ts"
import { countEventStream } from "../server/ServerMetrics.ts"
import * as Event from "./EventResource.ts"
import { block, HEARTBEAT } from "./ServerSentEvent.ts"

/** How often a stream without events sends a comment, so that no proxy closes the connection. */
const HEARTBEAT_INTERVAL = Duration.seconds(15)

const heartbeats = Stream.repeatEffect(Effect.delay(Effect.succeed(HEARTBEAT), HEARTBEAT_INTERVAL))

/** The open event streams of all admin keys. */
export class EventStreams {
  readonly #events: Context.Tag.Service<EventLog>
  readonly #authentication: Context.Tag.Service<Authentication>
  readonly #maxPerKey: number
  readonly #open = new Map<CredentialId, number>()
  readonly #reading = Effect.unsafeMakeSemaphore(1)

  constructor(
    events: Context.Tag.Service<EventLog>,
    authentication: Context.Tag.Service<Authentication>,
    maxPerKey: number
  ) {
    this.#events = {
      ...events,
      // One stream reads in a turn of the event loop: many that open at once would hold it while they decode their events.
      read: (after, limit) => this.#reading.withPermits(1)(Effect.zipLeft(events.read(after, limit), nextTurn))
    }
    this.#authentication = authentication
    this.#maxPerKey = maxPerKey
  }

  /** Returns whether the key may open another stream. */
  hasRoom({ id }: AdminKey): boolean {
    return (this.#open.get(id) ?? 0) < this.#maxPerKey
  }

  /** Streams all events after this sequence number, past and future, as text, until the key is revoked. */
  after(position: number, { id }: AdminKey): Pieces {
    const events = EventStream.from(position).pipe(
      Stream.provideService(EventLog, this.#events),
      Stream.map((event) => block(Event.fromEntity(event))),
      Stream.merge(heartbeats, { haltStrategy: "left" })
    )
    const counted = Effect.acquireRelease(
      Effect.sync(() => this.#count(id, 1)),
      () => Effect.sync(() => this.#count(id, -1))
    )
    // The comment is sent immediately, so that the client knows that it is connected.
    const chunks = Stream.unwrapScoped(Effect.as(counted, Stream.concat(Stream.succeed(HEARTBEAT), events)))
    return { chunks, revoked: this.#authentication.untilRevoked(id) }
  }

  #count(id: CredentialId, difference: 1 | -1): void {
    countEventStream(difference)
    const count = (this.#open.get(id) ?? 0) + difference
    if (count > 0) this.#open.set(id, count)
    else this.#open.delete(id)
  }
}
