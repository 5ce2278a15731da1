import type { Authentication } from "@community-messaging/domain/access/Authentication"
import type { AdminKey } from "@community-messaging/domain/access/Credential"
import * as EventStream from "@community-messaging/domain/event/EventStream"
import type { CredentialId } from "@community-messaging/domain/shared-kernel/CredentialId"
import { EventLog } from "@community-messaging/domain/shared-kernel/EventLog"
import { type Context, Duration, Effect, Metric, Stream } from "effect"
import { type Pieces, RETRY_AFTER } from "../server/replies/Reply.ts"
import { RateLimited } from "../wire/ApiError.ts"
import * as Event from "./EventResource.ts"
import { beginning, block, HEARTBEAT } from "./ServerSentEvent.ts"
import { sharedReads } from "./SharedReads.ts"

/** A stream sends a comment after this time of silence, so that no proxy closes the connection. */
const HEARTBEAT_INTERVAL = Duration.seconds(15)

const openStreams = Metric.counter("community_messaging_event_streams", { description: "Open event streams." })

const TOO_MANY = new RateLimited({ message: "Too many event streams: close some first.", retry_after: RETRY_AFTER })

/** The open event streams of all admin keys. */
export class EventStreams {
  readonly #events: Context.Tag.Service<EventLog>
  readonly #authentication: Context.Tag.Service<Authentication>
  readonly #maxPerKey: number
  readonly #open = new Map<CredentialId, number>()
  /** The texts of pages that several streams share. */
  readonly #texts = new WeakMap<EventStream.Page, ReadonlyArray<string>>()

  constructor(
    events: Context.Tag.Service<EventLog>,
    authentication: Context.Tag.Service<Authentication>,
    maxPerKey: number
  ) {
    this.#events = { ...events, read: sharedReads(events.read) }
    this.#authentication = authentication
    this.#maxPerKey = maxPerKey
    // So that the metric exists from the start on.
    openStreams.unsafeUpdate(0, [])
  }

  /**
   * Takes one of the places for streams of the key until the fiber of the request ends, also by a failure. Fails if none is
   * free.
   */
  takePlace({ id }: AdminKey): Effect.Effect<void, RateLimited> {
    return Effect.withFiberRuntime((fiber) => {
      if ((this.#open.get(id) ?? 0) >= this.#maxPerKey) return Effect.fail(TOO_MANY)
      this.#count(id, 1)
      fiber.addObserver(() => this.#count(id, -1))
      return Effect.void
    })
  }

  /** Streams all events after this sequence number, past and future, as text, until the key is revoked. */
  after(position: number, { id }: AdminKey): Pieces {
    const events = EventStream.pages(position, HEARTBEAT_INTERVAL).pipe(
      Stream.provideService(EventLog, this.#events),
      Stream.mapConcat((page) => page.length === 0 ? [HEARTBEAT] : this.#textsOf(page))
    )
    // Sent immediately, so that the client knows that it is connected.
    const chunks = Stream.concat(Stream.succeed(beginning(position)), events)
    return { chunks, revoked: this.#authentication.untilRevoked(id) }
  }

  #textsOf(page: EventStream.Page): ReadonlyArray<string> {
    const known = this.#texts.get(page)
    if (known !== undefined) return known
    const texts = page.map((event) => block(Event.fromEntity(event)))
    this.#texts.set(page, texts)
    return texts
  }

  #count(id: CredentialId, difference: 1 | -1): void {
    openStreams.unsafeUpdate(difference, [])
    const count = (this.#open.get(id) ?? 0) + difference
    if (count > 0) this.#open.set(id, count)
    else this.#open.delete(id)
  }
}
