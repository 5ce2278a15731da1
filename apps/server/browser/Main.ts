import { AccountDeletions } from "./AccountDeletions.ts"
import { loadFacts } from "./Api.ts"
import { Channels } from "./Channels.ts"
import * as Countdown from "./Countdown.ts"
import { byId } from "./Dom.ts"
import * as EventStream from "./EventStream.ts"
import { member } from "./Json.ts"
import { MemberNames } from "./MemberNames.ts"
import { MemberSearch } from "./MemberSearch.ts"
import { fromEvent } from "./MessageView.ts"
import * as Samples from "./Samples.ts"
import { ScheduledMessages } from "./ScheduledMessages.ts"

/** How long to wait for further changes of members before the search is repeated, in milliseconds. */
const SETTLE_MILLIS = 200

const showConnection = (connection: EventStream.Connection, reason: string): void => {
  const pill = byId("connection", HTMLParagraphElement)
  pill.dataset["state"] = connection
  pill.textContent = reason
}

const start = async (): Promise<void> => {
  const facts = await loadFacts()
  byId("guild", HTMLHeadingElement).textContent = facts.guild.name
  Countdown.start()
  Samples.start(facts)
  const names = new MemberNames(facts)
  const members = new MemberSearch(facts)
  const scheduled = new ScheduledMessages(facts)
  const deletions = new AccountDeletions(facts, (userId) => names.of(userId))
  const channels = new Channels(
    facts,
    ({ author }) => author.userId === "" ? Promise.resolve(author.name) : names.of(author.userId)
  )
  await EventStream.read(facts.adminKey, {
    onConnection: (connection, reason) => {
      showConnection(connection, reason)
      if (connection === "live") channels.begin()
    },
    onEvent: ({ data, type }) => {
      const details = member(data, "data")
      if (type === "message.created") channels.add(fromEvent(details))
      else if (type === "scheduled_message.updated") scheduled.refresh()
      else if (type.startsWith("member.")) members.refresh(SETTLE_MILLIS)
      else if (type.startsWith("user.")) deletions.apply(type, details)
    }
  })
}

start().catch((cause: unknown) => showConnection("lost", cause instanceof Error ? cause.message : "The page failed"))
