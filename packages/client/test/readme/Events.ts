import type { Client } from "@community-messaging/client/Client"

/** Handles all events after a position, until the signal ends it. `store` keeps the position. */
export const follow = async (
  client: Client,
  after: number,
  store: (position: number) => Promise<void>,
  signal: AbortSignal
) => {
  for await (const event of client.logs.streamEvents({ query: { after } }, { signal })) {
    if (event.type === "message.created") console.log("A message:", event.data.id)
    await store(event.sequence)
  }
}
