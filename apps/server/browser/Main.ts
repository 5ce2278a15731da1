import type { Attempt } from "@community-messaging/client/Attempt"
import { type Client, createClient } from "@community-messaging/client/Client"
import { ApiError } from "@community-messaging/client/ClientError"
import type { Event } from "@community-messaging/client/Resources"
import { AccountDeletions } from "./AccountDeletions.ts"
import { Channels } from "./Channels.ts"
import * as Countdown from "./Countdown.ts"
import * as DemoServer from "./DemoServer.ts"
import { byId } from "./Dom.ts"
import { MemberNames } from "./MemberNames.ts"
import { MemberSearch } from "./MemberSearch.ts"
import * as Samples from "./Samples.ts"
import { ScheduledMessages } from "./ScheduledMessages.ts"

/** How long to wait for further changes of members before the search is repeated, in milliseconds. */
const SETTLE_MILLIS = 200

/** The longest time before a request is sent again, in milliseconds. */
const MAX_RETRY_MILLIS = 15_000

/** The statuses with which the server refuses the demo's key, for good. */
const REFUSALS: ReadonlySet<number> = new Set([400, 401, 403])

const pause = (millis: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, millis)
  })

/** Applies all past and future events, without an end. Throws an error if the server refuses the key. */
const follow = async (client: Client, onEvent: (event: Event) => void): Promise<never> => {
  let after = 0
  for (;;) {
    try {
      for await (const event of client.logs.streamEvents({ query: { after } }, { retries: Number.POSITIVE_INFINITY })) {
        after = event.sequence
        onEvent(event)
      }
    } catch (cause) {
      if (cause instanceof ApiError && REFUSALS.has(cause.status)) throw cause
      await pause(MAX_RETRY_MILLIS)
    }
  }
}

const showConnection = (state: "live" | "lost", reason: string): void => {
  const pill = byId("connection", HTMLParagraphElement)
  pill.dataset["state"] = state
  pill.textContent = reason
}

const start = async (): Promise<void> => {
  const facts = await DemoServer.loadFacts()
  byId("guild", HTMLHeadingElement).textContent = facts.guild.name
  const onAttempt = ({ failure, operation }: Attempt): void => {
    if (operation !== "logs.streamEvents") return
    if (failure === null) {
      showConnection("live", "Live")
      channels.settle()
    } else {
      const isRefused = failure instanceof ApiError && failure.code === "RATE_LIMITED"
      showConnection("lost", isRefused ? "Too many windows" : "Disconnected")
    }
  }
  const client = createClient({
    baseUrl: DemoServer.address(),
    credentials: { bot: facts.bot_token, admin: facts.admin_key },
    maxRetryDelay: MAX_RETRY_MILLIS,
    onAttempt
  })
  const names = new MemberNames(client, facts)
  const members = new MemberSearch(client, facts)
  const scheduled = new ScheduledMessages(client, facts)
  const deletions = new AccountDeletions(client, facts, (userId) => names.of(userId))
  const channels = new Channels(
    facts,
    ({ author }) => author.type === "webhook" ? Promise.resolve(author.name) : names.of(author.user_id)
  )
  const apply = (event: Event): void => {
    switch (event.type) {
      case "message.created":
        return channels.add(event.data)
      case "scheduled_message.updated":
        return scheduled.refresh()
      case "member.joined":
      case "member.updated":
      case "member.left":
        return members.refresh(SETTLE_MILLIS)
      case "user.deletion_scheduled":
      case "user.deletion_cancelled":
      case "user.deleted":
        return deletions.apply(event)
      case "user.updated":
      case "webhook.updated":
      case "webhook.deleted":
      case "consent.granted":
    }
  }
  Countdown.start()
  Samples.start(facts)
  await follow(client, (event) => {
    channels.settle()
    apply(event)
  })
}

start().catch((cause: unknown) => showConnection("lost", DemoServer.reasonOf(cause)))
