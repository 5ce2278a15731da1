import { Option } from "effect"
import type { Announcement } from "../Announcement.ts"
import { repositoryName } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"
import { changeOf, pushedRef, type Ref } from "./PushEmbed.ts"
import { refOf } from "./RepositoryEmbed.ts"

/**
 * The maximum length of an announcement's id in UTF-16 units: at most 1536 bytes, which a database can index. Longer ones are
 * not paired: hosts have no such names.
 */
const MAX_ID_LENGTH = 512

const announced = (
  event: "push" | "own event",
  change: string,
  ref: Ref | undefined,
  notification: Notification
): Option.Option<Announcement> => {
  if (ref === undefined || ref.kind === "ref" || (change !== "created" && change !== "deleted")) return Option.none()
  // No header contains a line break, so these ids differ from those of deliveries.
  const idOf = (by: typeof event) => [by, change, ref.kind, repositoryName(notification), ref.name].join("\n")
  return idOf("own event").length > MAX_ID_LENGTH
    ? Option.none()
    : Option.some({ id: idOf(event), counterpart: idOf(event === "push" ? "own event" : "push") })
}

/** Returns the announcement of a push that creates or deletes a branch or tag; none for other pushes. */
export const pushAnnouncement = (notification: Notification): Option.Option<Announcement> =>
  announced("push", changeOf(notification), pushedRef(notification), notification)

/** The announcement of the event of a branch or tag that is created or deleted; none without its name. */
export const ownAnnouncement =
  (change: "created" | "deleted") => (notification: Notification): Option.Option<Announcement> =>
    announced("own event", change, refOf(notification), notification)
