import { Option } from "effect"
import type { Announcement } from "../Announcement.ts"
import { textOf } from "../NotificationField.ts"
import type { CodeHostEvent } from "./CodeHostEvent.ts"
import { repositoryName } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"
import { changeOf, targetOf } from "./PushEmbed.ts"

/**
 * The maximum length of an announcement's id in UTF-16 units: at most 1536 bytes, which a database can index. Longer ones are
 * not paired: hosts have no such names.
 */
const MAX_ID_LENGTH = 512

/** Returns the announcement of a branch or tag that is created or deleted; none for all other notifications. */
export const branchAnnouncement = (event: CodeHostEvent, notification: Notification): Option.Option<Announcement> => {
  const ref = textOf(notification.ref)
  const change = event === "push" ? changeOf(notification) : event === "create" ? "created" : "deleted"
  const [kind, name] = event === "push" ? targetOf(ref) : [textOf(notification.ref_type), ref]
  const isAnnouncement = (event === "push" || event === "create" || event === "delete") &&
    (change === "created" || change === "deleted") && (kind === "branch" || kind === "tag") && name !== ""
  // No header contains a line break, so these ids differ from those of deliveries.
  const idOf = (told: "push" | "own event") => [told, change, kind, repositoryName(notification), name].join("\n")
  if (!isAnnouncement || idOf("own event").length > MAX_ID_LENGTH) return Option.none()
  return Option.some(
    event === "push"
      ? { id: idOf("push"), counterpart: idOf("own event") }
      : { id: idOf("own event"), counterpart: idOf("push") }
  )
}
