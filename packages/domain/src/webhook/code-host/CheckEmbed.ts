import { Option } from "effect"
import { renderBody } from "../body/BodyRenderer.ts"
import type { Message } from "../EventTable.ts"
import { EMPTY, join, line, link, type Markdown, markdown } from "../Markdown.ts"
import { firstNonBlank, isExact, type Text, textOf } from "../NotificationField.ts"
import { field } from "../RichEmbed.ts"
import * as WebUrl from "../WebUrl.ts"
import { COLOUR } from "./Colour.ts"
import { linkedCode, renderEmbed, repositoryPage, shortHash } from "./EventEmbed.ts"
import type { CheckRun, CheckSuite, Notification } from "./Notification.ts"

/** The outcome of a check; none if it is not worth a message. */
const outcome = (conclusion: string): Option.Option<{ readonly what: string; readonly colour: number }> => {
  switch (conclusion) {
    case "":
    case "skipped":
    case "neutral":
      return Option.none()
    case "success":
      return Option.some({ what: "passed", colour: COLOUR.good })
    case "failure":
      return Option.some({ what: "failed", colour: COLOUR.bad })
    case "startup_failure":
      return Option.some({ what: "could not start", colour: COLOUR.bad })
    case "timed_out":
      return Option.some({ what: "timed out", colour: COLOUR.bad })
    case "action_required":
      return Option.some({ what: "needs action", colour: COLOUR.attention })
    case "cancelled":
      return Option.some({ what: "was cancelled", colour: COLOUR.inactive })
    case "stale":
      return Option.some({ what: "went stale", colour: COLOUR.inactive })
    default:
      return Option.some({ what: `finished: ${conclusion}`, colour: COLOUR.inactive })
  }
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
export const checkRunEmbed: Message<Notification> = (notification) =>
  Option.flatMap(
    Option.fromNullable(notification.check_run),
    (run) =>
      Option.map(outcome(textOf(run.conclusion)), ({ colour, what }) => {
        const url = Option.orElse(WebUrl.fromText(run.html_url), () => WebUrl.fromText(run.details_url))
        const suite = run.check_suite
        const pullRequests = numbersOf(run.pull_requests)
        return renderEmbed(notification, {
          title: headline(firstNonBlank(run.name, "Check"), what, suite),
          url,
          colour,
          description: output(run, url),
          fields: fields(
            notification,
            suite?.head_sha,
            pullRequests.length > 0 ? pullRequests : numbersOf(suite?.pull_requests)
          )
        })
      })
  )

/** All checks of an application on a commit completed, and were neither skipped nor neutral. */
export const checkSuiteEmbed: Message<Notification> = (notification) =>
  Option.flatMap(
    Option.fromNullable(notification.check_suite),
    (suite) =>
      Option.map(outcome(textOf(suite.conclusion)), ({ colour, what }) =>
        renderEmbed(notification, {
          title: headline(`Check suite ${textOf(suite.app?.name)}`.trim(), what, suite),
          url: commitPage(notification, suite.head_sha),
          colour,
          fields: fields(notification, suite.head_sha, numbersOf(suite.pull_requests))
        }))
  )
