import { Option } from "effect"
import type { Embed } from "../message/Embed.ts"
import type { Announcement } from "./Announcement.ts"

/** A third party's notification: its delivery id and the embed to post. */
export interface Delivery {
  /** The sender's own id of this delivery, by which repetitions are recognized. */
  readonly deliveryId: Option.Option<string>
  /** The embed to post; none if the event makes no message. */
  readonly embed: Option.Option<Embed>
  /** The announcement, if another notification announces the same change. */
  readonly announcement: Option.Option<Announcement>
}

/** Returns the value of a notification's header, such as its delivery id; none if the header is missing or empty. */
export const headerValue = (header: string | undefined): Option.Option<string> =>
  Option.filter(Option.fromNullable(header), (value) => value !== "")

/** Why a notification posts nothing. */
export type NotPosted = "no message" | "duplicate delivery" | "announced twice"
