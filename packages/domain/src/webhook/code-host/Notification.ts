import { Schema } from "effect"
import { optionalField } from "../../shared-kernel/OptionalField.ts"

const text = optionalField(Schema.String)
const flag = optionalField(Schema.Boolean)

/** An account at the code host. The `login` of a sender is empty if it is unknown. */
export const Actor = Schema.Struct({ login: Schema.String, url: text, avatarUrl: text }).annotations({
  identifier: "CodeHostActor"
})
export interface Actor extends Schema.Schema.Type<typeof Actor> {}

/** A repository; `fullName` begins with its owner. */
export const Repository = Schema.Struct({ name: text, fullName: text, url: text }).annotations({
  identifier: "CodeHostRepository"
})
export interface Repository extends Schema.Schema.Type<typeof Repository> {}

/** A commit. `author` is the account's login if known, otherwise a name. */
export const Commit = Schema.Struct({ id: text, url: text, message: text, author: text }).annotations({
  identifier: "CodeHostCommit"
})
export interface Commit extends Schema.Schema.Type<typeof Commit> {}

const subject = { number: optionalField(Schema.Int), title: text, body: text, url: text }

/** An issue. A comment on a pull request has the pull request as an issue with `isPullRequest`. */
export const Issue = Schema.Struct({ ...subject, stateReason: text, isPullRequest: Schema.Boolean }).annotations({
  identifier: "CodeHostIssue"
})
export interface Issue extends Schema.Schema.Type<typeof Issue> {}

/** A pull request. */
export const PullRequest = Schema.Struct({ ...subject, merged: Schema.Boolean, draft: Schema.Boolean }).annotations({
  identifier: "CodeHostPullRequest"
})
export interface PullRequest extends Schema.Schema.Type<typeof PullRequest> {}

/** A discussion; `answerUrl` is the URL of its accepted answer. */
export const Discussion = Schema.Struct({ ...subject, answerUrl: text, category: text }).annotations({
  identifier: "CodeHostDiscussion"
})
export interface Discussion extends Schema.Schema.Type<typeof Discussion> {}

/** The common fields of issues, pull requests and discussions. */
export type Subject = Pick<Issue, keyof typeof subject>

/** A comment on an issue, a pull request, a discussion, a commit, or a line of a file (`path`). */
export const Comment = Schema.Struct({ body: text, url: text, author: text, commitId: text, path: text }).annotations({
  identifier: "CodeHostComment"
})
export interface Comment extends Schema.Schema.Type<typeof Comment> {}

/** A review of a pull request; the state is `approved`, `changes_requested`, `commented` or `dismissed`. */
export const Review = Schema.Struct({ state: text, body: text, url: text }).annotations({
  identifier: "CodeHostReview"
})
export interface Review extends Schema.Schema.Type<typeof Review> {}

/** The checks of one application on a commit. `pullRequests` are numbers. */
export const CheckSuite = Schema.Struct({
  applicationName: text,
  conclusion: text,
  headBranch: text,
  headCommitId: text,
  pullRequests: Schema.Array(Schema.Int)
}).annotations({ identifier: "CodeHostCheckSuite" })
export interface CheckSuite extends Schema.Schema.Type<typeof CheckSuite> {}

/** One check of a suite. */
export const CheckRun = Schema.Struct({
  name: text,
  conclusion: text,
  url: text,
  detailsUrl: text,
  outputTitle: text,
  outputSummary: text,
  pullRequests: Schema.Array(Schema.Int),
  suite: optionalField(CheckSuite)
}).annotations({ identifier: "CodeHostCheckRun" })
export interface CheckRun extends Schema.Schema.Type<typeof CheckRun> {}

/** A release. */
export const Release = Schema.Struct({
  name: text,
  tagName: text,
  body: text,
  url: text,
  prerelease: Schema.Boolean
}).annotations({ identifier: "CodeHostRelease" })
export interface Release extends Schema.Schema.Type<typeof Release> {}

/**
 * The fields of a code host's notification that messages use (API reference, Execute code-hosting webhook; API gaps,
 * Notifications and webhooks). Texts and URLs are as the third party sent them. `sender` is the account that caused the
 * event.
 */
export const Notification = Schema.Struct({
  sender: Actor,
  action: text,
  repository: optionalField(Repository),
  /** `refs/heads/main` in a push, the bare name when a branch or tag is created or deleted. */
  ref: text,
  /** `branch` or `tag`. */
  refType: text,
  /** The repository's main branch. Present when a branch or tag is created. */
  masterBranch: text,
  /** The commit before a push; forty zeros for none. */
  before: text,
  after: text,
  created: flag,
  deleted: flag,
  forced: flag,
  compareUrl: text,
  /** The first commits of a push, oldest first. */
  commits: Schema.Array(Commit),
  /** The number of commits of the push that are not in `commits`. */
  moreCommits: Schema.NonNegativeInt,
  headCommit: optionalField(Commit),
  issue: optionalField(Issue),
  pullRequest: optionalField(PullRequest),
  review: optionalField(Review),
  comment: optionalField(Comment),
  discussion: optionalField(Discussion),
  answer: optionalField(Comment),
  checkRun: optionalField(CheckRun),
  checkSuite: optionalField(CheckSuite),
  release: optionalField(Release),
  forkee: optionalField(Repository),
  member: optionalField(Actor)
}).annotations({ identifier: "CodeHostNotification" })
export interface Notification extends Schema.Schema.Type<typeof Notification> {}
