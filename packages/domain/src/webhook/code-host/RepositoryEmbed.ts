import { Option } from "effect"
import type { Embed } from "../../message/Embed.ts"
import { COLOUR } from "./Colour.ts"
import { firstNonBlank, heading, renderEmbed, repositoryPage, textOf } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"

/** The branch or tag of the event. A `ref_type` may also be something else, which makes no message. */
const refOf = ({ ref, refType }: Notification) =>
  Option.all({
    kind: Option.filter(refType, (type) => type === "branch" || type === "tag"),
    name: Option.filter(ref, (name) => name.trim() !== "")
  })

/** A branch or tag was created. */
export const createEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(refOf(notification), ({ kind, name }) =>
    renderEmbed(notification, {
      title: heading(`New ${kind} created`, name),
      url: repositoryPage(notification, `tree/${name}`),
      colour: COLOUR.good
    }))

/** A branch or tag was deleted. */
export const deleteEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(refOf(notification), ({ kind, name }) =>
    renderEmbed(notification, {
      title: heading(kind === "tag" ? "Tag deleted" : "Branch deleted", name),
      url: repositoryPage(notification, ""),
      colour: COLOUR.bad
    }))

/** The repository was forked. */
export const forkEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(notification.forkee, (forkee) =>
    renderEmbed(notification, {
      title: heading("Fork created", firstNonBlank(forkee.fullName, forkee.name)),
      url: forkee.url,
      colour: COLOUR.community
    }))

/** A user starred the repository. The event is called `watch` for historical reasons. */
export const watchEmbed = (notification: Notification): Option.Option<Embed> =>
  textOf(notification.action) === "started"
    ? Option.some(renderEmbed(notification, {
      title: "New star added",
      url: repositoryPage(notification, ""),
      colour: COLOUR.community
    }))
    : Option.none()

/** A collaborator was added to the repository. */
export const memberEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.map(
    Option.filter(notification.member, () => textOf(notification.action) === "added"),
    (member) =>
      renderEmbed(notification, {
        title: heading("New collaborator added", member.login),
        url: member.url,
        colour: COLOUR.community
      })
  )

/** The repository became public. */
export const publicEmbed = (notification: Notification): Option.Option<Embed> =>
  Option.some(renderEmbed(notification, {
    title: "Repository is now public",
    url: repositoryPage(notification, ""),
    colour: COLOUR.published
  }))

/** A repository was created. */
export const repositoryEmbed = (notification: Notification): Option.Option<Embed> =>
  textOf(notification.action) === "created"
    ? Option.some(renderEmbed(notification, {
      title: "Repository created",
      url: repositoryPage(notification, ""),
      colour: COLOUR.good
    }))
    : Option.none()
