import { Option, Schema } from "effect"
import type { Notification } from "./Notification.ts"

/**
 * The events of a code host that can make a message, by the names in its event header. Source: API gaps, Notifications
 * and webhooks.
 */
export const CodeHostEvent = Schema.Literal(
  "push",
  "commit_comment",
  "create",
  "delete",
  "fork",
  "issues",
  "issue_comment",
  "pull_request",
  "pull_request_review",
  "pull_request_review_comment",
  "release",
  "watch",
  "member",
  "public",
  "check_run",
  "check_suite",
  "discussion",
  "discussion_comment",
  "repository"
)
export type CodeHostEvent = typeof CodeHostEvent.Type

const tellsCommits = ({ commits, compareUrl, headCommit }: Notification): boolean =>
  commits.length > 0 || Option.isSome(headCommit) || Option.isSome(compareUrl)

type Rule = readonly [event: CodeHostEvent, applies: (notification: Notification) => boolean]

/**
 * How an event without a header is told from what its notification has; the first rule that applies decides, so that
 * what has more comes before what has less. `public` and `repository` have nothing of their own, as many events that
 * make no message: without a header they are not recognised, because wrong news is worse than none.
 */
const RULES: ReadonlyArray<Rule> = [
  ["check_run", (_) => Option.isSome(_.checkRun)],
  ["check_suite", (_) => Option.isSome(_.checkSuite)],
  ["pull_request_review", (_) => Option.isSome(_.review)],
  ["release", (_) => Option.isSome(_.release)],
  ["fork", (_) => Option.isSome(_.forkee)],
  ["discussion_comment", (_) => Option.isSome(_.discussion) && Option.isSome(_.comment)],
  ["discussion", (_) => Option.isSome(_.discussion)],
  ["pull_request_review_comment", (_) => Option.isSome(_.pullRequest) && Option.isSome(_.comment)],
  ["issue_comment", (_) => Option.isSome(_.issue) && Option.isSome(_.comment)],
  ["commit_comment", (_) => Option.exists(_.comment, (comment) => Option.isSome(comment.commitId))],
  ["pull_request", (_) => Option.isSome(_.pullRequest)],
  ["issues", (_) => Option.isSome(_.issue)],
  // A member of a team comes without a repository.
  ["member", (_) => Option.isSome(_.member) && Option.isSome(_.repository)],
  ["create", (_) => Option.isSome(_.refType) && Option.isSome(_.masterBranch)],
  ["delete", (_) => Option.isSome(_.refType)],
  // Other events have a ref as well, but no commits.
  ["push", (_) => Option.isSome(_.ref) && tellsCommits(_)],
  ["watch", (_) => Option.contains(_.action, "started") && Option.isSome(_.repository)]
]

/** The event that a notification without an event header tells of. */
export const infer = (notification: Notification): Option.Option<CodeHostEvent> =>
  Option.map(
    Option.fromNullable(RULES.find(([, applies]) => applies(notification))),
    ([event]) => event
  )
