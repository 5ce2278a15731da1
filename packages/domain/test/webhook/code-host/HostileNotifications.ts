import { Option } from "effect"
import type { CodeHostEvent } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import type { Notification } from "../../../src/webhook/code-host/Notification.ts"
import {
  checkRun,
  checkSuite,
  comment,
  commit,
  discussion,
  issue,
  notification,
  pullRequest,
  REPOSITORY_URL
} from "./Notifications.ts"

/**
 * A notification of each event and action that posts, with all of their texts from `text` and all URLs from `url`. Bodies
 * are left out.
 */
export const notificationsOf = (
  text: () => string,
  url: () => string
): ReadonlyArray<readonly [CodeHostEvent, Notification]> => {
  const some = () => Option.some(text())
  const link = () => Option.some(url())
  const actor = () => ({ login: text(), url: link(), avatarUrl: link() })
  const repository = Option.some({ name: some(), fullName: some(), url: Option.some(REPOSITORY_URL) })
  const about = (parts: Parameters<typeof notification>[0]) => notification({ sender: actor(), repository, ...parts })
  const commits = ["a", "b", "c"].map((digit) => ({ ...commit(digit, text(), text()), url: link() }))
  const subject = () => ({ title: some(), url: link(), body: Option.none<string>() })
  const suite = { ...checkSuite, applicationName: some(), headBranch: some(), pullRequests: [7, 8] }
  const commented = Option.some({ ...comment, body: Option.none<string>(), url: link(), author: some(), path: some() })
  const compared = { compareUrl: link(), commits, after: Option.some("b".repeat(40)) }
  const onIssue = { issue: Option.some({ ...issue, ...subject() }) }
  const onPullRequest = { pullRequest: Option.some({ ...pullRequest, ...subject() }) }
  const onDiscussion = { discussion: Option.some({ ...discussion, ...subject(), category: some(), answerUrl: link() }) }
  return [
    ["push", about({ ref: `refs/heads/${text()}`, ...compared })],
    ["push", about({ ref: `refs/heads/${text()}`, ...compared, forced: Option.some(true) })],
    ["push", about({ ref: `refs/heads/${text()}`, ...compared, created: Option.some(true) })],
    ["push", about({ ref: `refs/tags/${text()}`, ...compared, deleted: Option.some(true) })],
    ["push", about({ ref: `refs/tags/${text()}`, ...compared })],
    [
      "commit_comment",
      about({ comment: Option.map(commented, (_) => ({ ..._, commitId: Option.some("c".repeat(40)) })) })
    ],
    ["create", about({ ref: text(), refType: Option.some("branch") })],
    ["delete", about({ ref: text(), refType: Option.some("tag") })],
    ["fork", about({ forkee: Option.some({ name: some(), fullName: some(), url: link() }) })],
    ["issues", about({ action: "opened", ...onIssue })],
    ["issue_comment", about({ action: "created", ...onIssue, comment: commented })],
    ["pull_request", about({ action: "opened", ...onPullRequest })],
    [
      "pull_request_review",
      about({
        action: "submitted",
        ...onPullRequest,
        review: Option.some({ state: Option.some("approved"), body: Option.none(), url: link() })
      })
    ],
    ["pull_request_review_comment", about({ action: "created", ...onPullRequest, comment: commented })],
    [
      "release",
      about({
        action: "published",
        release: Option.some({ name: some(), tagName: some(), body: Option.none(), url: link(), prerelease: false })
      })
    ],
    ["watch", about({ action: "started" })],
    ["member", about({ action: "added", member: Option.some(actor()) })],
    ["public", about({})],
    [
      "check_run",
      about({
        action: "completed",
        checkRun: Option.some({
          ...checkRun,
          name: some(),
          outputTitle: some(),
          url: link(),
          suite: Option.some(suite)
        })
      })
    ],
    [
      "check_suite",
      about({ action: "completed", checkSuite: Option.some({ ...suite, conclusion: Option.some("failure") }) })
    ],
    ["discussion", about({ action: "created", ...onDiscussion })],
    ["discussion", about({ action: "answered", ...onDiscussion, answer: commented })],
    ["discussion_comment", about({ action: "created", ...onDiscussion, comment: commented })],
    ["repository", about({ action: "created" })]
  ]
}
