import * as CommunityMessaging from "@community-messaging/client/effect/Client"
import type { Event } from "@community-messaging/client/Resources"
import { Effect, Fiber, type Redacted, Stream } from "effect"
import type { FleetServer } from "./Fleet.ts"

/** How soon a follower whose server is away looks for it again, at most. */
const RECONNECT_MILLIS = 500

/** How often a follower whose first connection fails tries it again. */
const FIRST_TRIES = 50

const isPost = (event: Event): boolean => event.type === "scheduled_message.updated" && event.data["status"] === "sent"

/** Follows the stream of one server from its beginning, over as many connections as it takes. */
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
      /** How many due messages it was told of. */
      posts: () => posts,
      /** Waits until the follower has seen the event of that number; fails as the stream does. */
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
