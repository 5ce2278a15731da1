import { Option, Record } from "effect"
import { renderBody } from "../body/BodyRenderer.ts"
import { EMPTY, join, line, link, type Markdown, markdown } from "../Markdown.ts"
import { firstNonBlank, isExact, type Text, textOf } from "../NotificationField.ts"
import { field } from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import { COLOUR } from "./Colour.ts"
import { about, linkedCode, repositoryPage, shortHash } from "./EventEmbed.ts"
import type { CheckRun, CheckSuite, Notification } from "./Notification.ts"

/** The outcome of a check by its conclusion. */
const OUTCOME: Readonly<Record<string, { readonly what: string; readonly colour: number }>> = {
  success: { what: "passed", colour: COLOUR.good },
  failure: { what: "failed", colour: COLOUR.bad },
  startup_failure: { what: "could not start", colour: COLOUR.bad },
  timed_out: { what: "timed out", colour: COLOUR.bad },
  action_required: { what: "needs action", colour: COLOUR.attention },
  cancelled: { what: "was cancelled", colour: COLOUR.inactive },
  stale: { what: "went stale", colour: COLOUR.inactive }
}

/** The conclusions that are not worth a message. */
const SILENT = new Set(["", "skipped", "neutral"])

/** Returns the check with its outcome, if it is worth a message. */
const concluded = <Check extends { readonly conclusion?: Text }>(check: Check | null | undefined) => {
  const conclusion = textOf(check?.conclusion)
  if (!check || SILENT.has(conclusion)) return undefined
  const other = { what: `finished: ${conclusion}`, colour: COLOUR.inactive }
  return { check, outcome: Option.getOrElse(Record.get(OUTCOME, conclusion), () => other) }
}

const MAX_OUTPUT_TITLE_LENGTH = 256
const MAX_PULL_REQUESTS = 10

/** Returns `linter failed on main`. */
const headline = (name: string, what: string, suite: CheckSuite | null | undefined): string => {
  const branch = textOf(suite?.head_branch)
  return `${name} ${what}${branch === "" ? "" : ` on ${branch}`}`
}

const numbersOf = (pullRequests: CheckSuite["pull_requests"]): ReadonlyArray<number> =>
  (pullRequests ?? []).map(({ number }) => number).filter(isExact)

const pullRequestLinks = (notification: Notification, numbers: ReadonlyArray<number>): Markdown => {
  const links = numbers.slice(0, MAX_PULL_REQUESTS).map((number) =>
    Option.match(repositoryPage(notification, `pull/${number}`), {
      onNone: () => markdown`\\#${number}`,
      onSome: (url) => link(markdown`#${number}`, url)
    })
  )
  const others = numbers.length - links.length
  return join([...links, others === 0 ? EMPTY : markdown`${others} more`], ", ")
}

/** Returns the page of a commit, or of the repository if the commit is unknown. */
const commitPage = (notification: Notification, commitId: Text): Option.Option<WebUrl.WebUrl> =>
  repositoryPage(notification, textOf(commitId) === "" ? "" : `commit/${textOf(commitId)}`)

const fields = (notification: Notification, commitId: Text, pullRequests: ReadonlyArray<number>) => {
  const commit = linkedCode(shortHash(commitId), commitPage(notification, commitId), 16)
  return [
    ...field("Commit", commit, { inline: true }),
    ...field("Pull requests", pullRequestLinks(notification, pullRequests), { inline: true })
  ]
}

/** Renders the output of the check: its title, then its summary. */
const output = ({ output: reported }: CheckRun, url: Option.Option<WebUrl.WebUrl>): Markdown => {
  const heading = line(textOf(reported?.title), MAX_OUTPUT_TITLE_LENGTH)
  const summary = renderBody(textOf(reported?.summary), url)
  return join([heading === EMPTY ? EMPTY : markdown`**${heading}**`, summary], "\n\n")
}

/** A check completed, and was neither skipped nor neutral. */
export const checkRunEmbed = about(
  ({ check_run: run }) => concluded(run),
  ({ check: run, outcome: { colour, what } }, notification) => {
    const url = Option.orElse(WebUrl.fromText(run.html_url), () => WebUrl.fromText(run.details_url))
    const suite = run.check_suite
    const pullRequests = numbersOf(run.pull_requests)
    return {
      title: headline(firstNonBlank(run.name, "Check"), what, suite),
      url,
      colour,
      description: output(run, url),
      fields: fields(
        notification,
        suite?.head_sha,
        pullRequests.length > 0 ? pullRequests : numbersOf(suite?.pull_requests)
      )
    }
  }
)

/** All checks of an application on a commit completed, and were neither skipped nor neutral. */
export const checkSuiteEmbed = about(
  ({ check_suite: suite }) => concluded(suite),
  ({ check: suite, outcome: { colour, what } }, notification) => ({
    title: headline(`Check suite ${textOf(suite.app?.name)}`.trim(), what, suite),
    url: commitPage(notification, suite.head_sha),
    colour,
    fields: fields(notification, suite.head_sha, numbersOf(suite.pull_requests))
  })
)
