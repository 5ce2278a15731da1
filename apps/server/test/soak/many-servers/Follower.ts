import * as CommunityMessaging from "@community-messaging/client/effect/Client"
import type { Event } from "@community-messaging/client/Resources"
import { Effect, Fiber, type Redacted, Stream } from "effect"
import type { FleetServer } from "./Fleet.ts"

/** The longest wait of a follower before it reconnects to a server that is down. Longer than servers require. */
const RECONNECT_MILLIS = 5000

/** How often a follower retries its first connection. */
const FIRST_TRIES = 1000

const isPost = (event: Event): boolean => event.type === "scheduled_message.updated" && event.data["status"] === "sent"

/** Follows the stream of one server from its beginning, over as many connections as necessary. */
export const follow = (server: FleetServer, admin: Redacted.Redacted) =>
  Effect.gen(function*() {
    const seen: Array<{ readonly sequence: number; readonly json: string }> = []
    let connections = 0
    let posts = 0
    const { logs } = yield* CommunityMessaging.make({
      baseUrl: server.origin,
      credentials: { admin },
      maxRetryDelay: RECONNECT_MILLIS,
      retries: FIRST_TRIES,
      onAttempt: ({ failure }) => {
        if (failure === null) connections += 1
      }
    })
    const follower = yield* logs.streamEvents({ query: { after: 0 } }).pipe(
      Stream.runForEach((event) =>
        Effect.sync(() => {
          seen.push({ sequence: event.sequence, json: JSON.stringify(event) })
          if (isPost(event)) posts += 1
        })
      ),
      Effect.forkScoped
    )
    return {
      seen,
      connections: () => connections,
      /** The number of received due messages. */
      posts: () => posts,
      /** Waits until the follower has received the event with that number; fails if the stream fails. */
      reaches: (sequence: number) =>
        Effect.raceFirst(
          Effect.repeat(Effect.delay(Effect.sync(() => seen.at(-1)?.sequence ?? 0), "20 millis"), {
            until: (last) => last >= sequence
          }),
          Fiber.join(follower)
        )
    }
  })

export type Follower = Effect.Effect.Success<ReturnType<typeof follow>>
