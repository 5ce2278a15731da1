import { Duration, type Either, type Option } from "effect"
import type { Embed } from "../message/Embed.ts"
import type { Announcement } from "./Announcement.ts"

/** How long a delivery is remembered, so that it posts once only (API gaps, Notifications and webhooks). */
export const DELIVERY_MEMORY = Duration.hours(24)

/** Why a notification makes no message: none of its event does, or none of its action. */
export type Ignored = "event ignored" | "action ignored"

/** A third party's notification: its delivery id and the embed to post. */
export interface Delivery {
  /** The sender's own id of this delivery, by which repetitions are recognized. */
  readonly deliveryId: Option.Option<string>
  /** The embed to post, or why there is none. */
  readonly embed: Either.Either<Embed, Ignored>
  /** The announcement, if another notification announces the same change. */
  readonly announcement: Option.Option<Announcement>
}

/** Why a notification posts nothing. */
export type NotPosted = Ignored | "duplicate delivery" | "announced twice"
