import type * as CodeHost from "@community-messaging/domain/webhook/code-host/Notification"
import { counted } from "@community-messaging/json-reader/Excerpt"
import { Option, Schema } from "effect"
import { exactText, field } from "../wire/WireType.ts"
import {
  Actor,
  CheckRun,
  CheckSuite,
  Comment,
  Commit,
  Discussion,
  Issue,
  PullRequest,
  Release,
  Repository,
  Review
} from "./CodeHostShapes.ts"
import { listed, unlisted } from "./NotificationField.ts"

const string = (description: string) => listed(Schema.String, description)

/**
 * The body of a code host's notification: an object. Only `sender` is required. Source: API reference, Execute
 * code-hosting webhook; API gaps, Notifications and webhooks.
 */
export const CodeHostBody = Schema.Struct({
  sender: field(Actor, "The account that caused the event."),
  action: string("What happened, such as `opened`."),
  answer: listed(Comment, "The answer to the discussion."),
  check_run: listed(CheckRun, "The check."),
  check_suite: listed(CheckSuite, "The suite of checks."),
  comment: listed(Comment, "The comment."),
  commits: listed(counted(Commit), "The pushed commits. The first 100 are read."),
  compare: string("The page that shows all pushed changes."),
  discussion: listed(Discussion, "The discussion."),
  forced: listed(Schema.Boolean, "Whether the push replaced commits."),
  forkee: listed(Repository, "The new repository of a fork."),
  head_commit: listed(Commit, "The last pushed commit."),
  issue: listed(Issue, "The issue, or the pull request of a comment."),
  member: listed(Actor, "Who was added to the repository."),
  pull_request: listed(PullRequest, "The pull request."),
  ref_type: string("`branch` or `tag`, when one is created or deleted."),
  ref: string("The branch or tag, such as `refs/heads/main`."),
  release: listed(Release, "The release."),
  repository: listed(Repository, "The repository that the event is about."),
  review: listed(Review, "The review."),
  before: unlisted(Schema.String, "The commit before the push."),
  after: unlisted(Schema.String, "The commit after the push."),
  created: unlisted(Schema.Boolean, "Whether the push created the branch or tag."),
  deleted: unlisted(Schema.Boolean, "Whether the push deleted the branch or tag."),
  master_branch: unlisted(Schema.String, "The main branch. Present when a branch or tag is created.")
}).annotations({
  identifier: "CodeHostNotification",
  description: "A notification by the code host. Other fields are ignored."
})
export interface CodeHostBody extends Schema.Schema.Type<typeof CodeHostBody> {}

type ActorBody = typeof Actor.Type
type CommentBody = typeof Comment.Type
type CommitBody = typeof Commit.Type
type CheckSuiteBody = typeof CheckSuite.Type
type RepositoryBody = typeof Repository.Type

const toActor = (actor: ActorBody): CodeHost.Actor => ({
  login: Option.getOrElse(actor.login, () => ""),
  url: actor.html_url,
  avatarUrl: actor.avatar_url
})

const toRepository = (repository: RepositoryBody): CodeHost.Repository => ({
  name: repository.name,
  fullName: repository.full_name,
  url: repository.html_url
})

const toCommit = (commit: CommitBody): CodeHost.Commit => ({
  id: Option.flatMap(commit.id, exactText),
  url: commit.url,
  message: commit.message,
  author: Option.flatMap(commit.author, ({ name, username }) => Option.orElse(username, () => name))
})

const toComment = (comment: CommentBody): CodeHost.Comment => ({
  body: comment.body,
  url: comment.html_url,
  author: Option.flatMap(comment.user, (user) => user.login),
  commitId: comment.commit_id,
  path: comment.path
})

/** None if the number was rounded: a link to it would show something else. */
const exactNumber = Option.filter<number>(Number.isSafeInteger)

const toNumbers = (numbered: CheckSuiteBody["pull_requests"]): ReadonlyArray<number> =>
  Option.toArray(numbered).flatMap((each) =>
    each.flatMap((pullRequest) => Option.toArray(exactNumber(pullRequest.number)))
  )

const toCheckSuite = (suite: CheckSuiteBody): CodeHost.CheckSuite => ({
  applicationName: Option.flatMap(suite.app, (app) => app.name),
  conclusion: suite.conclusion,
  headBranch: suite.head_branch,
  headCommitId: suite.head_sha,
  pullRequests: toNumbers(suite.pull_requests)
})

const toCheckRun = (run: typeof CheckRun.Type): CodeHost.CheckRun => ({
  name: run.name,
  conclusion: run.conclusion,
  url: run.html_url,
  detailsUrl: run.details_url,
  outputTitle: Option.flatMap(run.output, (output) => output.title),
  outputSummary: Option.flatMap(run.output, (output) => output.summary),
  pullRequests: toNumbers(run.pull_requests),
  suite: Option.map(run.check_suite, toCheckSuite)
})

const toSubject = (body: Pick<typeof Issue.Type, "number" | "title" | "body" | "html_url">): CodeHost.Subject => ({
  number: exactNumber(body.number),
  title: body.title,
  body: body.body,
  url: body.html_url
})

const isTrue = Option.contains(true)

/** Converts a body to a notification. */
export const toNotification = (body: CodeHostBody): CodeHost.Notification => ({
  sender: toActor(body.sender),
  action: body.action,
  repository: Option.map(body.repository, toRepository),
  ref: body.ref,
  refType: body.ref_type,
  masterBranch: body.master_branch,
  before: body.before,
  after: body.after,
  created: body.created,
  deleted: body.deleted,
  forced: body.forced,
  compareUrl: body.compare,
  commits: Option.match(body.commits, { onNone: () => [], onSome: ({ first }) => first.map(toCommit) }),
  moreCommits: Option.match(body.commits, { onNone: () => 0, onSome: ({ first, total }) => total - first.length }),
  headCommit: Option.map(body.head_commit, toCommit),
  issue: Option.map(body.issue, (issue) => ({
    ...toSubject(issue),
    stateReason: issue.state_reason,
    isPullRequest: Option.isSome(issue.pull_request)
  })),
  pullRequest: Option.map(body.pull_request, (pullRequest) => ({
    ...toSubject(pullRequest),
    merged: isTrue(pullRequest.merged),
    draft: isTrue(pullRequest.draft)
  })),
  review: Option.map(body.review, ({ body: text, html_url: url, state }) => ({ state, body: text, url })),
  comment: Option.map(body.comment, toComment),
  discussion: Option.map(body.discussion, (discussion) => ({
    ...toSubject(discussion),
    answerUrl: discussion.answer_html_url,
    category: Option.map(discussion.category, ({ name }) => name)
  })),
  answer: Option.map(body.answer, toComment),
  checkRun: Option.map(body.check_run, toCheckRun),
  checkSuite: Option.map(body.check_suite, toCheckSuite),
  release: Option.map(body.release, (release) => ({
    name: release.name,
    tagName: release.tag_name,
    body: release.body,
    url: release.html_url,
    prerelease: isTrue(release.prerelease)
  })),
  forkee: Option.map(body.forkee, toRepository),
  member: Option.map(body.member, toActor)
})
