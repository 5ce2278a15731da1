import type * as CodeHost from "@community-messaging/domain/webhook/code-host/Notification"
import { counted } from "@community-messaging/json-reader/Excerpt"
import { Option, Predicate, Schema } from "effect"
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
import { booleanOf, listed, listedOf, nameOf, nonBlankOf, stringOf, unlisted } from "./NotificationField.ts"

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
  login: actor.login ?? "",
  url: listedOf(actor.html_url),
  avatarUrl: listedOf(actor.avatar_url)
})

const toRepository = (repository: RepositoryBody): CodeHost.Repository => ({
  name: listedOf(repository.name),
  fullName: listedOf(repository.full_name),
  url: listedOf(repository.html_url)
})

const toCommit = (commit: CommitBody): CodeHost.Commit => ({
  id: Option.flatMap(listedOf(commit.id), exactText),
  url: listedOf(commit.url),
  message: listedOf(commit.message),
  author: nonBlankOf(commit.author?.username, commit.author?.name)
})

const toComment = (comment: CommentBody): CodeHost.Comment => ({
  body: listedOf(comment.body),
  url: listedOf(comment.html_url),
  author: listedOf(comment.user?.login),
  commitId: listedOf(comment.commit_id),
  path: stringOf(comment.path)
})

/** None if the number was rounded: a link to it would show something else. */
const exactNumber = (value: number | null | undefined): Option.Option<number> =>
  Option.filter(listedOf(value), Number.isSafeInteger)

const toNumbers = (numbered: CheckSuiteBody["pull_requests"]): ReadonlyArray<number> =>
  (numbered ?? []).flatMap(({ number }) => Option.toArray(exactNumber(number)))

const toCheckSuite = (suite: CheckSuiteBody): CodeHost.CheckSuite => ({
  applicationName: listedOf(suite.app?.name),
  conclusion: listedOf(suite.conclusion),
  headBranch: listedOf(suite.head_branch),
  headCommitId: listedOf(suite.head_sha),
  pullRequests: toNumbers(suite.pull_requests)
})

const toCheckRun = (run: typeof CheckRun.Type): CodeHost.CheckRun => ({
  name: listedOf(run.name),
  conclusion: listedOf(run.conclusion),
  url: listedOf(run.html_url),
  detailsUrl: listedOf(run.details_url),
  outputTitle: listedOf(run.output?.title),
  outputSummary: listedOf(run.output?.summary),
  pullRequests: toNumbers(run.pull_requests),
  suite: Option.map(listedOf(run.check_suite), toCheckSuite)
})

const toSubject = (body: Pick<typeof Issue.Type, "number" | "title" | "body" | "html_url">): CodeHost.Subject => ({
  number: exactNumber(body.number),
  title: listedOf(body.title),
  body: listedOf(body.body),
  url: listedOf(body.html_url)
})

/** Converts a body to a notification. */
export const toNotification = (body: CodeHostBody): CodeHost.Notification => ({
  sender: toActor(body.sender),
  action: listedOf(body.action),
  repository: Option.map(listedOf(body.repository), toRepository),
  ref: listedOf(body.ref),
  refType: listedOf(body.ref_type),
  masterBranch: stringOf(body.master_branch),
  before: stringOf(body.before),
  after: stringOf(body.after),
  created: booleanOf(body.created),
  deleted: booleanOf(body.deleted),
  forced: listedOf(body.forced),
  compareUrl: listedOf(body.compare),
  commits: (body.commits?.first ?? []).map(toCommit),
  moreCommits: (body.commits?.total ?? 0) - (body.commits?.first.length ?? 0),
  headCommit: Option.map(listedOf(body.head_commit), toCommit),
  issue: Option.map(listedOf(body.issue), (issue) => ({
    ...toSubject(issue),
    stateReason: stringOf(issue.state_reason),
    isPullRequest: Predicate.isObject(issue.pull_request)
  })),
  pullRequest: Option.map(listedOf(body.pull_request), (pullRequest) => ({
    ...toSubject(pullRequest),
    merged: pullRequest.merged === true,
    draft: pullRequest.draft === true
  })),
  review: Option.map(listedOf(body.review), (review) => ({
    state: listedOf(review.state),
    body: listedOf(review.body),
    url: listedOf(review.html_url)
  })),
  comment: Option.map(listedOf(body.comment), toComment),
  discussion: Option.map(listedOf(body.discussion), (discussion) => ({
    ...toSubject(discussion),
    answerUrl: listedOf(discussion.answer_html_url),
    category: nameOf(discussion.category)
  })),
  answer: Option.map(listedOf(body.answer), toComment),
  checkRun: Option.map(listedOf(body.check_run), toCheckRun),
  checkSuite: Option.map(listedOf(body.check_suite), toCheckSuite),
  release: Option.map(listedOf(body.release), (release) => ({
    name: stringOf(release.name),
    tagName: listedOf(release.tag_name),
    body: listedOf(release.body),
    url: listedOf(release.html_url),
    prerelease: release.prerelease === true
  })),
  forkee: Option.map(listedOf(body.forkee), toRepository),
  member: Option.map(listedOf(body.member), toActor)
})
