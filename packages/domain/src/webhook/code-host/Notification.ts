import { Schema } from "effect"
import {
  BooleanOrNull,
  integerOrText,
  listed,
  number,
  objectOrNull,
  text,
  TextOrNull,
  unchecked,
  unlisted
} from "../NotificationField.ts"

/*
 * A code host's notification, with the fields that the API reference lists or messages use. Source: API reference, Execute
 * code-hosting webhook; API gaps, Notifications and webhooks.
 */

/** An account at the code host. */
const Actor = Schema.Struct({
  id: integerOrText("Identifies the account."),
  login: text("The name of the account."),
  html_url: text("The page of the account."),
  avatar_url: text("The image of the account.")
}).annotations({ identifier: "CodeHostActor", description: "An account at the code host." })

/** A commit. */
export const Commit = Schema.Struct({
  id: integerOrText("The hash of the commit."),
  url: text("The page of the commit."),
  message: text("The commit message."),
  author: listed(
    Schema.Struct({ name: text("The author's name."), username: text("The author's account.") }),
    "Who wrote the commit."
  )
}).annotations({ identifier: "CodeHostCommit", description: "A commit." })
export interface Commit extends Schema.Schema.Type<typeof Commit> {}

/** A comment on an issue, a pull request, a discussion, a commit, or a line of a file (`path`). */
const Comment = Schema.Struct({
  id: integerOrText("Identifies the comment."),
  html_url: text("The page of the comment."),
  user: listed(Actor, "Who wrote the comment."),
  body: text("The text, in Markdown."),
  commit_id: text("The hash of the commit that the comment is on."),
  path: unlisted(TextOrNull, "The file that the comment is on.")
}).annotations({ identifier: "CodeHostComment", description: "A comment." })
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

const pullRequests = listed(
  Schema.Array(Schema.Struct({ number: number("The number of the pull request.") })),
  "The pull requests that are checked."
)

/** The checks of one application on a commit. */
const CheckSuite = Schema.Struct({
  head_sha: text("The hash of the commit that is checked."),
  app: listed(Schema.Struct({ name: text("The name of the application.") }), "The application that checks."),
  conclusion: text("The result, such as `success`."),
  head_branch: text("The branch that is checked."),
  pull_requests: pullRequests
}).annotations({ identifier: "CodeHostCheckSuite", description: "The checks of one application on a commit." })
export interface CheckSuite extends Schema.Schema.Type<typeof CheckSuite> {}

/** A check of a commit. */
const CheckRun = Schema.Struct({
  name: text("The name of the check."),
  html_url: text("The page of the check."),
  check_suite: listed(CheckSuite, "The suite that the check belongs to."),
  conclusion: text("The result, such as `success`."),
  details_url: text("The page of the application that checks."),
  output: listed(
    Schema.Struct({ title: text("The title."), summary: text("The summary, in Markdown.") }),
    "What the check reports."
  ),
  pull_requests: pullRequests
}).annotations({ identifier: "CodeHostCheckRun", description: "A check of a commit." })
export interface CheckRun extends Schema.Schema.Type<typeof CheckRun> {}

/** A discussion. */
const Discussion = Schema.Struct({
  title: text("The title."),
  number: number("The number in the repository."),
  html_url: text("The page of the discussion."),
  user: listed(Actor, "Who began the discussion."),
  answer_html_url: text("The page of the answer."),
  body: text("The text, in Markdown."),
  category: unlisted(objectOrNull({ name: unchecked(TextOrNull, "The name of the category.") }), "The category.")
}).annotations({ identifier: "CodeHostDiscussion", description: "A discussion." })

const subject = {
  id: integerOrText("Identifies it among all repositories."),
  number: number("The number in the repository."),
  html_url: text("The page."),
  user: listed(Actor, "Who opened it."),
  title: text("The title."),
  body: text("The text, in Markdown.")
}

/** An issue. A comment on a pull request has the pull request as an issue with `pull_request`. */
const Issue = Schema.Struct({
  ...subject,
  state_reason: unlisted(TextOrNull, "Why the issue is closed."),
  pull_request: unlisted(
    objectOrNull({ html_url: unchecked(TextOrNull, "The page of the pull request; not read.") }),
    "Present if the issue is a pull request."
  )
}).annotations({ identifier: "CodeHostIssue", description: "An issue." })
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/** The common fields of issues, pull requests and discussions. */
export type Subject = Pick<Issue, "number" | "title" | "body" | "html_url">

/** A pull request. */
const PullRequest = Schema.Struct({
  ...subject,
  merged: unlisted(BooleanOrNull, "Whether the pull request was merged."),
  draft: unlisted(BooleanOrNull, "Whether the pull request is a draft.")
}).annotations({ identifier: "CodeHostPullRequest", description: "A pull request." })

/** A release. */
const Release = Schema.Struct({
  id: integerOrText("Identifies the release."),
  tag_name: text("The tag of the release."),
  html_url: text("The page of the release."),
  body: text("The text, in Markdown."),
  name: unlisted(TextOrNull, "The name of the release."),
  prerelease: unlisted(BooleanOrNull, "Whether the release is a pre-release.")
}).annotations({ identifier: "CodeHostRelease", description: "A release." })

/** A repository. */
const Repository = Schema.Struct({
  id: integerOrText("Identifies the repository."),
  html_url: text("The page of the repository."),
  name: text("The name without its owner."),
  full_name: text("The name with its owner, such as `riverside/kiln`.")
}).annotations({ identifier: "CodeHostRepository", description: "A repository." })

/** A review of a pull request. */
const Review = Schema.Struct({
  user: listed(Actor, "Who reviewed."),
  html_url: text("The page of the review."),
  state: text("The verdict, such as `approved`."),
  body: text("The text, in Markdown.")
}).annotations({ identifier: "CodeHostReview", description: "A review of a pull request." })

/** A notification: only `sender` is required. */
export const Notification = Schema.Struct({
  sender: Schema.propertySignature(Actor).annotations({ description: "The account that caused the event." }),
  action: text("What happened, such as `opened`."),
  answer: listed(Comment, "The answer to the discussion."),
  check_run: listed(CheckRun, "The check."),
  check_suite: listed(CheckSuite, "The suite of checks."),
  comment: listed(Comment, "The comment."),
  commits: listed(
    Schema.Struct({ first: Schema.Array(Commit), total: Schema.NonNegativeInt }),
    "The first of the pushed commits, oldest first, and the number of all."
  ),
  compare: text("The page that shows all pushed changes."),
  discussion: listed(Discussion, "The discussion."),
  forced: listed(Schema.Boolean, "Whether the push replaced commits."),
  forkee: listed(Repository, "The new repository of a fork."),
  head_commit: listed(Commit, "The last pushed commit."),
  issue: listed(Issue, "The issue, or the pull request of a comment."),
  member: listed(Actor, "Who was added to the repository."),
  pull_request: listed(PullRequest, "The pull request."),
  ref_type: text("`branch` or `tag`, when one is created or deleted."),
  ref: text("The branch or tag, such as `refs/heads/main`."),
  release: listed(Release, "The release."),
  repository: listed(Repository, "The repository that the event is about."),
  review: listed(Review, "The review."),
  before: unlisted(TextOrNull, "The commit before the push."),
  after: unlisted(TextOrNull, "The commit after the push."),
  created: unlisted(BooleanOrNull, "Whether the push created the branch or tag."),
  deleted: unlisted(BooleanOrNull, "Whether the push deleted the branch or tag."),
  master_branch: unlisted(TextOrNull, "The main branch. Present when a branch or tag is created.")
})
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
