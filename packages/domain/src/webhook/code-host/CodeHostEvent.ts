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

const hasCommits = ({ commits, compareUrl, headCommit }: Notification): boolean =>
  commits.length > 0 || Option.isSome(headCommit) || Option.isSome(compareUrl)

type Rule = readonly [event: CodeHostEvent, applies: (notification: Notification) => boolean]

/**
 * How to infer the event of a notification without an event header. The first rule that applies decides, so specific
 * rules come first. `public` and `repository` have no specific fields, like many events that make no message. They are not
 * inferred: no message is better than a wrong one.
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
  // A notification about a team member has no repository.
  ["member", (_) => Option.isSome(_.member) && Option.isSome(_.repository)],
  ["create", (_) => Option.isSome(_.refType) && Option.isSome(_.masterBranch)],
  ["delete", (_) => Option.isSome(_.refType)],
  // Other events also have a ref, but no commits.
  ["push", (_) => Option.isSome(_.ref) && hasCommits(_)],
  ["watch", (_) => Option.contains(_.action, "started") && Option.isSome(_.repository)]
]

/** Infers the event of a notification without an event header; none if no rule applies. */
export const infer = (notification: Notification): Option.Option<CodeHostEvent> =>
  Option.map(
    Option.fromNullable(RULES.find(([, applies]) => applies(notification))),
    ([event]) => event
  )
