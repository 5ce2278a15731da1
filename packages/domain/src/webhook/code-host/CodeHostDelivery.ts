import { Option } from "effect"
import type { Delivery } from "../Delivery.ts"
import { branchAnnouncement } from "./BranchAnnouncement.ts"
import * as CodeHostEvent from "./CodeHostEvent.ts"
import type { Notification } from "./Notification.ts"

/** Makes the delivery of a code host's notification. `header` is the name of the event in the host's header. */
export const delivery = (
  deliveryId: Option.Option<string>,
  header: Option.Option<string>,
  notification: Notification
): Delivery => ({
  deliveryId,
  embed: CodeHostEvent.embed(header, notification),
  announcement: Option.flatMap(
    CodeHostEvent.eventOf(header, notification),
    (event) => branchAnnouncement(event, notification)
  )
})
