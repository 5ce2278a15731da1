import { DateTime } from "effect"
import type { DemoIds } from "./DemoCommunity.ts"

const TIMEZONE = "Europe/Berlin"

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

interface Sketch {
  readonly status: string
  /** The scheduled time, in milliseconds from now. */
  readonly due: number
  readonly content: string
  readonly fields?: object
}

/** The messages. `at` returns a time as text. */
const sketches = (at: (fromNow: number) => string): ReadonlyArray<Sketch> => [
  { status: "scheduled", due: 30 * DAY, content: "Workshop tomorrow: bring your own soldering iron 🔧" },
  { status: "scheduled", due: 300 * DAY, content: "Happy anniversary, Riverside Makers! 🎂" },
  { status: "scheduled", due: 7 * DAY, content: "The programme for next month is out" },
  {
    status: "invalid",
    due: 3 * DAY,
    content: "Poll: which evening suits you?",
    fields: {
      channel_id: "1",
      status_reason: "The channel does not exist.",
      invalidated_at: at(-2 * HOUR),
      ended_at: at(-2 * HOUR)
    }
  },
  {
    status: "failed",
    due: -5 * HOUR,
    content: "The kiln is free again",
    fields: { status_reason: "Delivery failed 5 times.", attempts: 5, ended_at: at(-5 * HOUR) }
  },
  {
    status: "cancelled",
    due: 2 * DAY,
    content: "Boat trip (rain!)",
    fields: { status_reason: "Cancelled by its author.", ended_at: at(-HOUR) }
  },
  { status: "sent", due: -DAY, content: "Doors open at seven", fields: { ended_at: at(-DAY) } }
]

/**
 * The scheduled messages of the demo's bot, in every status except `pending`, and the message that one of them became.
 */
export const scheduledMessages = (
  ids: DemoIds,
  snowflake: (moment: number, index: number) => string,
  now: DateTime.Utc
): ReadonlyArray<object> => {
  const moment = (fromNow: number): DateTime.Utc => DateTime.startOf(DateTime.add(now, { millis: fromNow }), "minute")
  const at = (fromNow: number): string => DateTime.formatIso(moment(fromNow))
  const records = sketches(at).map(({ content, due, fields, status }, index) => ({
    kind: "scheduled_message",
    id: snowflake(now.epochMillis - 3 * DAY, index),
    author_id: ids.bot,
    channel_id: ids.square,
    scheduled_at: at(due),
    scheduled_local_at: DateTime.formatIsoOffset(DateTime.unsafeSetZoneNamed(moment(due), TIMEZONE)).slice(0, 19),
    timezone: TIMEZONE,
    status,
    payload: { content, flags: 0 },
    created_at: at(-3 * DAY),
    ...fields
  }))
  const posted = {
    kind: "message",
    id: snowflake(now.epochMillis - DAY, 13),
    channel_id: ids.square,
    guild_id: ids.guild,
    author: { type: "user", user_id: ids.bot },
    payload: { content: "Doors open at seven", flags: 0 },
    created_at: at(-DAY)
  }
  return [...records, posted]
}
