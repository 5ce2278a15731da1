import type { Embed } from "./Embed.ts"
import { code, line, title, unformatted, webUrl } from "./Markdown.ts"
import { isInt64, isObject, isRecordOf, isString, nullable } from "./Values.ts"

type Nullable<A> = A | null | undefined

/** A notification of the error tracker, with the fields of the message. The `unknown` fields are not validated. */
export interface ErrorTrackerBody {
  readonly action?: Nullable<string>
  readonly data?: Nullable<{ readonly issue?: Nullable<Issue> }>
  readonly actor?: Nullable<{ readonly type?: Nullable<string>; readonly name?: Nullable<string> }>
}

interface Issue {
  readonly shortId?: Nullable<string>
  readonly title?: Nullable<string>
  readonly permalink?: Nullable<string>
  readonly level?: Nullable<string>
  readonly project?: Nullable<{ readonly name?: Nullable<string>; readonly slug?: Nullable<string> }>
  readonly metadata?: Nullable<{ readonly value?: Nullable<string>; readonly type?: Nullable<string> }>
  readonly count?: Nullable<string | number>
  readonly userCount?: Nullable<string | number>
  readonly culprit?: Nullable<string>
  readonly web_url?: unknown
  readonly substatus?: unknown
  readonly assignedTo?: unknown
}

const text = nullable(isString)
const integer = nullable((value) => isString(value) || isInt64(value))

const isBody = isRecordOf({
  action: text,
  installation: nullable(isRecordOf({ uuid: text })),
  data: nullable(isRecordOf({
    issue: nullable(isRecordOf({
      id: integer,
      shortId: text,
      title: text,
      permalink: text,
      level: text,
      status: text,
      platform: text,
      project: nullable(isRecordOf({ id: integer, name: text, slug: text, platform: text })),
      type: text,
      metadata: nullable(isRecordOf({ value: text, type: text })),
      count: integer,
      userCount: integer,
      firstSeen: text,
      lastSeen: text,
      culprit: text
    }))
  })),
  actor: nullable(isRecordOf({ type: text, id: integer, name: text }))
})

/** Whether the value is such a notification. */
export const isErrorTrackerBody = (value: unknown): value is ErrorTrackerBody => isBody(value)

const COLOURS = new Map([
  ["fatal", 0x8b0000],
  ["error", 0xe03e2f],
  ["warning", 0xf2b712],
  ["info", 0x3b6ecc],
  ["debug", 0x8c8c8c]
])
const OTHER_COLOUR = 0x584774
const RESOLVED_COLOUR = 0x2da44e

const NEWS = new Map([
  ["created", "New issue"],
  ["resolved", "Issue resolved"],
  ["unresolved", "Issue unresolved"],
  ["assigned", "Issue assigned"],
  ["archived", "Issue archived"],
  ["ignored", "Issue archived"]
])
const UNRESOLVED_NEWS = new Map([["regressed", "Issue regressed"], ["escalating", "Issue escalating"]])

const trimmed = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" ? String(value).trim() : ""

const newsOf = (action: string, { substatus }: Issue): string | undefined =>
  (action === "unresolved" ? UNRESOLVED_NEWS.get(trimmed(substatus)) : undefined) ?? NEWS.get(action)

const countOf = (count: unknown): string => trimmed(count) === "0" ? "" : line(trimmed(count), 1024)

const fieldsOf = (issue: Issue): NonNullable<Embed["fields"]> => {
  const { assignedTo } = issue
  const shown: ReadonlyArray<readonly [name: string, value: string]> = [
    ["Culprit", code(trimmed(issue.culprit), 1024)],
    ["Project", line(trimmed(issue.project?.name ?? issue.project?.slug), 1024)],
    ["Level", line(trimmed(issue.level), 1024)],
    ["Short ID", line(trimmed(issue.shortId), 1024)],
    ["Events", countOf(issue.count)],
    ["Users affected", countOf(issue.userCount)],
    ["Assigned to", line(isObject(assignedTo) ? trimmed(assignedTo["name"]) : "", 1024)]
  ]
  return shown.filter(([, value]) => value !== "").map(([name, value]) => ({ name, value, inline: name !== "Culprit" }))
}

/**
 * The embed of an issue; `undefined` if the event has no message. `"unknown"` if the embed needs the error's message, which
 * the floor does not implement.
 */
export const issueEmbed = (
  resource: string,
  { action, actor, data }: ErrorTrackerBody
): Embed | "unknown" | undefined => {
  const issue = data?.issue
  if (issue === undefined || issue === null || (resource !== "" && resource !== "issue")) return undefined
  const news = newsOf(trimmed(action), issue)
  if (news === undefined) return undefined
  const error = [issue.metadata?.type, issue.metadata?.value].map(trimmed).filter((part) => part !== "").join(": ")
  const name = [trimmed(issue.title), error, trimmed(issue.shortId)].find((part) => part !== "") ?? ""
  if (!name.includes(trimmed(issue.metadata?.value))) return "unknown"
  const person = trimmed(actor?.type) === "application" ? "" : unformatted(trimmed(actor?.name), 256)
  const fields = fieldsOf(issue)
  return {
    type: "rich",
    url: webUrl(issue.permalink ?? (isString(issue.web_url) ? issue.web_url : undefined)),
    title: title(trimmed(issue.project?.name ?? issue.project?.slug), name === "" ? news : `${news}: ${name}`),
    color: trimmed(action) === "resolved"
      ? RESOLVED_COLOUR
      : COLOURS.get(trimmed(issue.level).toLowerCase()) ?? OTHER_COLOUR,
    ...(person !== "" && { author: { name: person } }),
    ...(fields.length > 0 && { fields })
  }
}
