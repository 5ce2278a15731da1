import { firstNonBlank, textOf } from "../NotificationField.ts"
import { COLOUR } from "./Colour.ts"
import { about, heading, pageOf, repositoryPage } from "./EventEmbed.ts"
import type { Notification } from "./Notification.ts"
import type { Ref } from "./PushEmbed.ts"

/** Returns the branch or tag of the event. A `ref_type` may also be something else, which makes no message. */
export const refOf = ({ ref, ref_type: kind }: Notification): Ref | undefined => {
  const name = textOf(ref)
  return (kind === "branch" || kind === "tag") && name !== "" ? { kind, name } : undefined
}

/** A branch or tag was created. */
export const createEmbed = about(refOf, ({ kind, name }, notification) => ({
  title: heading(`New ${kind} created`, name),
  url: repositoryPage(notification, `tree/${name}`),
  colour: COLOUR.good
}))

/** A branch or tag was deleted. */
export const deleteEmbed = about(refOf, ({ kind, name }, notification) => ({
  title: heading(kind === "tag" ? "Tag deleted" : "Branch deleted", name),
  url: repositoryPage(notification, ""),
  colour: COLOUR.bad
}))

/** The repository was forked. */
export const forkEmbed = about(({ forkee }) => forkee, (forkee) => ({
  title: heading("Fork created", firstNonBlank(forkee.full_name, forkee.name)),
  url: pageOf(forkee),
  colour: COLOUR.community
}))

/** A collaborator was added to the repository. */
export const memberEmbed = about(({ member }) => member, (member) => ({
  title: heading("New collaborator added", member.login ?? ""),
  url: pageOf(member),
  colour: COLOUR.community
}))

const aboutRepository = (title: string, colour: number) =>
  about((_) => _, (notification) => ({ title, url: repositoryPage(notification, ""), colour }))

/** A user starred the repository. The event is called `watch` for historical reasons. */
export const watchEmbed = aboutRepository("New star added", COLOUR.community)

/** The repository became public. */
export const publicEmbed = aboutRepository("Repository is now public", COLOUR.published)

/** A repository was created. */
export const repositoryEmbed = aboutRepository("Repository created", COLOUR.good)
