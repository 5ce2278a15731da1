import type { Option } from "effect"
import type { Embed } from "../message/Embed.ts"
import type { Announcement } from "./Announcement.ts"

/** A third party's notification: its delivery id and the embed to post. */
export interface Delivery {
  /** The sender's own id of this delivery, by which a repetition is known. */
  readonly deliveryId: Option.Option<string>
  /** What is to be posted; none where the event makes no message. */
  readonly embed: Option.Option<Embed>
  /** What it announces, if another notification announces the same. */
  readonly announcement: Option.Option<Announcement>
}

/** Why a notification posts nothing. */
export type NotPosted = "no message" | "duplicate delivery" | "announced twice"
