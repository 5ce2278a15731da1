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
): ReadonlyArray<readonly [event: string, notification: Notification]> => {
  const actor = () => ({ login: text(), html_url: url(), avatar_url: url() })
  const repository = { name: text(), full_name: text(), html_url: REPOSITORY_URL }
  const about = (parts: Parameters<typeof notification>[0]) => notification({ sender: actor(), repository, ...parts })
  const commits = ["a", "b", "c"].map((digit) => ({ ...commit(digit, text(), text()), url: url() }))
  const subject = () => ({ title: text(), html_url: url(), body: null })
  const suite = {
    ...checkSuite,
    app: { name: text() },
    head_branch: text(),
    pull_requests: [{ number: 7 }, { number: 8 }]
  }
  const commented = { ...comment, body: null, html_url: url(), user: { login: text() }, path: text() }
  const compared = { compare: url(), commits, after: "b".repeat(40) }
  const onIssue = { issue: { ...issue, ...subject() } }
  const onPullRequest = { pull_request: { ...pullRequest, ...subject() } }
  const onDiscussion = {
    discussion: { ...discussion, ...subject(), category: { name: text() }, answer_html_url: url() }
  }
  return [
    ["push", about({ ref: `refs/heads/${text()}`, ...compared })],
    ["push", about({ ref: `refs/heads/${text()}`, ...compared, forced: true })],
    ["push", about({ ref: `refs/heads/${text()}`, ...compared, created: true })],
    ["push", about({ ref: `refs/tags/${text()}`, ...compared, deleted: true })],
    ["push", about({ ref: `refs/tags/${text()}`, ...compared })],
    [
      "commit_comment",
      about({ comment: { ...commented, commit_id: "c".repeat(40) } })
    ],
    ["create", about({ ref: text(), ref_type: "branch" })],
    ["delete", about({ ref: text(), ref_type: "tag" })],
    ["fork", about({ forkee: { name: text(), full_name: text(), html_url: url() } })],
    ["issues", about({ action: "opened", ...onIssue })],
    ["issue_comment", about({ action: "created", ...onIssue, comment: commented })],
    ["pull_request", about({ action: "opened", ...onPullRequest })],
    [
      "pull_request_review",
      about({
        action: "submitted",
        ...onPullRequest,
        review: { state: "approved", body: null, html_url: url() }
      })
    ],
    ["pull_request_review_comment", about({ action: "created", ...onPullRequest, comment: commented })],
    [
      "release",
      about({
        action: "published",
        release: { name: text(), tag_name: text(), body: null, html_url: url(), prerelease: false }
      })
    ],
    ["watch", about({ action: "started" })],
    ["member", about({ action: "added", member: actor() })],
    ["public", about({})],
    [
      "check_run",
      about({
        action: "completed",
        check_run: {
          ...checkRun,
          name: text(),
          output: { title: text() },
          html_url: url(),
          check_suite: suite
        }
      })
    ],
    [
      "check_suite",
      about({ action: "completed", check_suite: { ...suite, conclusion: "failure" } })
    ],
    ["discussion", about({ action: "created", ...onDiscussion })],
    ["discussion", about({ action: "answered", ...onDiscussion, answer: commented })],
    ["discussion_comment", about({ action: "created", ...onDiscussion, comment: commented })],
    ["repository", about({ action: "created" })]
  ]
}
