import { firstNonBlank } from "../NotificationField.ts"
import { COLOUR } from "./Colour.ts"
import { about, heading, pageOf, renderBody } from "./EventEmbed.ts"

/** A release was published. */
export const releaseEmbed = about(({ release }) => release, (release) => ({
  title: heading(
    release.prerelease === true ? "New pre-release published" : "New release published",
    firstNonBlank(release.name, release.tag_name)
  ),
  url: pageOf(release),
  colour: COLOUR.published,
  description: renderBody(release)
}))
