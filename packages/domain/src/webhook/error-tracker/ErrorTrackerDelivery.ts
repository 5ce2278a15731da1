import { Option } from "effect"
import type { Delivery } from "../Delivery.ts"
import * as ErrorTrackerEmbed from "./ErrorTrackerEmbed.ts"
import type { Notification } from "./Notification.ts"

/** Makes the delivery of an error tracker's notification. `header` is the name of the resource in the tracker's header. */
export const delivery = (
  deliveryId: Option.Option<string>,
  header: Option.Option<string>,
  notification: Notification
): Delivery => ({
  deliveryId,
  embed: ErrorTrackerEmbed.embed(header, notification),
  announcement: Option.none()
})
