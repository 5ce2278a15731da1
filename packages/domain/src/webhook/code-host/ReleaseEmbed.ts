import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { COLOUR } from "./Colour.ts"
import { firstNonBlank, heading, renderBody, renderEmbed, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** A release was published. */
export const releaseEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(
    Option.filter(notification.release, () => textOf(notification.action) === "published"),
    (release) =>
      renderEmbed(notification, {
        title: heading(
          release.prerelease ? "New pre-release published" : "New release published",
          firstNonBlank(release.name, release.tagName)
        ),
        url: release.url,
        colour: COLOUR.published,
        description: renderBody(release)
      })
  )
