import type { CodeHostBody, Commit } from "./CodeHostBody.ts"
import type { Embed } from "./Embed.ts"
import { line, link, percentEncode, title, unformatted, webUrl } from "./Markdown.ts"
import { codePoints } from "./Values.ts"

const MAX_COMMITS = 10
const MAX_DESCRIPTION_LENGTH = 4096
const COLOUR = { bad: 0xcf222e, good: 0x2da44e, attention: 0xd4a72c, pushed: 0x0969da } as const
const KINDS = [["refs/heads/", "branch", "Branch"], ["refs/tags/", "tag", "Tag"], ["", "ref", "Ref"]] as const

const isNoCommit = (id: unknown): boolean => typeof id === "string" && /^0{40,64}$/.test(id)

const shortHash = (id: unknown): string =>
  typeof id === "string" || typeof id === "number"
    ? /^[0-9a-f]{7}(?=[0-9a-f]*$)/i.exec(String(id).trim())?.[0] ?? ""
    : ""

const commitLine = ({ author, id, message, url }: Commit): string => {
  const hash = shortHash(id)
  const page = hash === "" ? undefined : webUrl(url)
  const shown = hash === "" ? "" : page === undefined ? `\`${hash}\`` : link(`\`${hash}\``, page)
  const says = line((message ?? "").trim().split(/[\r\n]/, 1).join(""), 96)
  const name = line((author?.username ?? author?.name ?? "").trim(), 48)
  const before = shown !== "" && says !== "" ? `${shown} ${says}` : shown + says
  return before !== "" && name !== "" ? `${before} - ${name}` : before + name
}

const commitLines = (commits: ReadonlyArray<Commit>): string => {
  const lines: Array<string> = []
  let room = MAX_DESCRIPTION_LENGTH - codePoints(`… and ${commits.length} more`)
  let count = 0
  for (const commit of commits.slice(0, MAX_COMMITS)) {
    const shown = commitLine(commit)
    room -= codePoints(shown) + 1
    if (room < 0) break
    count += 1
    if (shown !== "") lines.push(shown)
  }
  if (count < commits.length) lines.push(`… and ${commits.length - count} more`)
  return lines.join("\n")
}

const treeUrl = ({ repository }: CodeHostBody, path: string): string | undefined => {
  const url = webUrl(repository?.html_url)
  return url === undefined || path === ""
    ? url
    : webUrl(`${url.replace(/[/?#]+$/, "")}/${path.split("/").map(percentEncode).join("/")}`)
}

/** The title, page and colour of a push, and whether its place and its commits are shown. */
const announcement = (body: CodeHostBody, ref: string) => {
  const [prefix, kind, Kind] = KINDS.find(([start]) => ref.startsWith(start)) ?? KINDS[2]
  const name = ref.slice(prefix.length)
  const commits = body.commits ?? []
  const hash = shortHash(body.after)
  const to = hash === "" ? "" : ` to ${hash}`
  const repository = (body.repository?.name ?? "").trim()
  const fullName = (body.repository?.full_name ?? "").trim()
  const shown = {
    name,
    place: fullName === "" ? repository : fullName,
    commits: true,
    color: COLOUR.attention,
    url: webUrl(body.compare)
  }
  if (body.deleted === true || isNoCommit(body.after)) {
    return { ...shown, text: `${Kind} deleted: ${name}`, color: COLOUR.bad, url: treeUrl(body, ""), commits: false }
  }
  if (body.created === true || isNoCommit(body.before)) {
    return { ...shown, text: `New ${kind} pushed: ${name}`, color: COLOUR.good, url: treeUrl(body, `tree/${name}`) }
  }
  if (kind !== "branch") return { ...shown, text: `${Kind} moved: ${name}${to}` }
  const place = repository === "" ? name : `${repository}:${name}`
  if (body.forced === true) return { ...shown, place, text: `Force-pushed${to}` }
  const [only] = commits
  if (only === undefined) return { ...shown, place, text: `Moved${to}`, color: COLOUR.pushed }
  return commits.length === 1
    ? { ...shown, place, text: "1 new commit", color: COLOUR.pushed, url: webUrl(only.url) }
    : { ...shown, place, text: `${commits.length} new commits`, color: COLOUR.pushed }
}

/** The embed of a push; `undefined` if it names no branch or tag. */
export const pushEmbed = (body: CodeHostBody): Embed | undefined => {
  const { color, commits, name, place, text, url } = announcement(body, (body.ref ?? "").trim())
  if (name === "") return undefined
  const listed = body.commits ?? []
  const head = body.head_commit ?? undefined
  const description = commits ? commitLines(listed.length === 0 && head !== undefined ? [head] : listed) : ""
  const author = unformatted(body.sender.login ?? "", 256)
  return {
    type: "rich",
    url,
    title: title(place, text),
    color,
    ...(description !== "" && { description }),
    ...(author !== "" && {
      author: { name: author, url: webUrl(body.sender.html_url), iconUrl: webUrl(body.sender.avatar_url) }
    })
  }
}

/** The ids of a created or deleted branch or tag, which an event of its own announces too. */
export interface Announcement {
  readonly id: string
  readonly counterpart: string
}

/** The change that the push announces, if another event announces the same. */
export const branchAnnouncement = (body: CodeHostBody): Announcement | undefined => {
  const ref = (body.ref ?? "").trim()
  const [prefix, kind] = KINDS.find(([start]) => ref.startsWith(start)) ?? KINDS[2]
  const name = ref.slice(prefix.length)
  const isDeleted = body.deleted === true || isNoCommit(body.after)
  const isCreated = body.created === true || isNoCommit(body.before)
  if ((kind !== "branch" && kind !== "tag") || name === "" || (!isDeleted && !isCreated)) return undefined
  const repository = (body.repository?.full_name ?? body.repository?.name ?? "").trim()
  const rest = [isDeleted ? "deleted" : "created", kind, repository, name].join("\n")
  return { id: `push\n${rest}`, counterpart: `own event\n${rest}` }
}
