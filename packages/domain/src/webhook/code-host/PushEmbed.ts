import { Option } from "effect"
import { MAX_DESCRIPTION_LENGTH } from "../../message/Embed.ts"
import { codePointLength } from "../../shared-kernel/CodePointLength.ts"
import { EMPTY, join, line, type Markdown, markdown } from "../Markdown.ts"
import { exactText, firstNonBlank, type Text, textOf } from "../NotificationField.ts"
import * as WebUrl from "../WebUrl.ts"
import { COLOUR } from "./Colour.ts"
import { about, linkedCode, repositoryPage, shortHash } from "./EventEmbed.ts"
import type { Commit, Notification } from "./Notification.ts"

/** The maximum number of commits that a message shows. */
export const MAX_COMMITS = 10

const MAX_SUMMARY_LENGTH = 96
const MAX_AUTHOR_LENGTH = 48

/** A branch, a tag, or another ref with its full name. */
export interface Ref {
  readonly kind: "branch" | "tag" | "ref"
  readonly name: string
}

/** Returns what the push changed, if its name is known. */
export const pushedRef = (notification: Notification): Ref | undefined => {
  const ref = textOf(notification.ref)
  const [, directory, name = ref] = /^refs\/(heads|tags)\/(.*)$/s.exec(ref) ?? []
  const kind = directory === undefined ? "ref" : directory === "heads" ? "branch" : "tag"
  return name === "" ? undefined : { kind, name }
}

/** Returns what the push did. If a flag is missing, a commit id of zeros indicates creation or deletion. */
export const changeOf = (notification: Notification): "deleted" | "created" | "forced" | "moved" => {
  const { after, before, created, deleted, forced } = notification
  const isNoCommit = (id: Text) => /^0{40,64}$/.test(id ?? "")
  if (deleted === true || isNoCommit(after)) return "deleted"
  if (created === true || isNoCommit(before)) return "created"
  return forced === true ? "forced" : "moved"
}

const summary = (commit: Commit): string => textOf(commit.message).split(/[\r\n]/, 1).join("")

const commitLine = (commit: Commit): Markdown => {
  const hash = linkedCode(shortHash(exactText(commit.id)), WebUrl.fromText(commit.url), 16)
  const text = join([hash, line(summary(commit), MAX_SUMMARY_LENGTH)], " ")
  return join([text, line(firstNonBlank(commit.author?.username, commit.author?.name), MAX_AUTHOR_LENGTH)], " - ")
}

/** Renders the commits, oldest first, one line each: as many as fit, then the number of the others. */
const commitLines = (commits: ReadonlyArray<Commit>, total: number): Markdown => {
  const lines: Array<Markdown> = []
  let room = MAX_DESCRIPTION_LENGTH - codePointLength(`… and ${total} more`)
  for (const commit of commits.slice(0, MAX_COMMITS)) {
    const shown = commitLine(commit)
    room -= codePointLength(shown) + 1
    if (room < 0) break
    lines.push(shown)
  }
  const others = total - lines.length
  return join([...lines, others === 0 ? EMPTY : markdown`… and ${others} more`], "\n")
}

const counted = (total: number): string => total === 1 ? "1 new commit" : `${total} new commits`

/** Commits were pushed to a branch, or a branch or tag was created, moved or deleted by a push. */
export const pushEmbed = about(pushedRef, ({ kind, name }, notification) => {
  const { first: commits, total } = notification.commits ?? { first: [], total: 0 }
  const change = changeOf(notification)
  const label = { branch: "Branch", tag: "Tag", ref: "Ref" }[kind]
  const repository = textOf(notification.repository?.name)
  const place = repository === "" ? name : `${repository}:${name}`
  const shown = commits.length === 0 ? Option.toArray(Option.fromNullable(notification.head_commit)) : commits
  const description = commitLines(shown, total - commits.length + shown.length)
  const to = [shortHash(notification.after)].filter((hash) => hash !== "").map((hash) => `to ${hash}`)
  const compared = WebUrl.fromText(notification.compare)

  if (change === "deleted") {
    return { title: `${label} deleted: ${name}`, url: repositoryPage(notification, ""), colour: COLOUR.bad }
  }
  if (change === "created") {
    const url = repositoryPage(notification, `tree/${name}`)
    return { title: `New ${kind} pushed: ${name}`, url, colour: COLOUR.good, description }
  }
  if (kind !== "branch") {
    const title = [`${label} moved: ${name}`, ...to].join(" ")
    return { title, url: compared, colour: COLOUR.attention, description }
  }
  if (change === "forced") {
    const title = ["Force-pushed", ...to].join(" ")
    return { title, url: compared, colour: COLOUR.attention, place, description }
  }
  const title = total === 0 ? ["Moved", ...to].join(" ") : counted(total)
  const url = total === 1 ? WebUrl.fromText(commits[0]?.url) : compared
  return { title, url, colour: COLOUR.pushed, place, description }
})
