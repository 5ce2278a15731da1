import type * as CodeHost from "@community-messaging/domain/webhook/code-host/Notification"
import type * as ErrorTracker from "@community-messaging/domain/webhook/error-tracker/Notification"
import { Option, Predicate } from "effect"
import type * as Bodies from "./Bodies.ts"

/*
 * Converts bodies of notifications to the types of the domain by hand, as a program without decoding schemas does.
 */

type Of<Field extends keyof Bodies.CodeHost> = NonNullable<Bodies.CodeHost[Field]>
type CheckSuite = Of<"check_suite">
type ErrorTrackerIssue = NonNullable<NonNullable<Bodies.ErrorTracker["data"]>["issue"]>
type Subject = Pick<Of<"issue">, "number" | "title" | "body" | "html_url">

const some = Option.fromNullable
const text = (value: unknown): Option.Option<string> => typeof value === "string" ? Option.some(value) : Option.none()
const flag = (value: unknown): Option.Option<boolean> => typeof value === "boolean" ? Option.some(value) : Option.none()

const nameOf = (value: unknown): Option.Option<string> =>
  Predicate.hasProperty(value, "name") ? text(value.name) : Option.none()

const toCommit = (commit: Of<"head_commit">): CodeHost.Commit => ({
  id: Option.map(some(commit.id), String),
  url: some(commit.url),
  message: some(commit.message),
  author: some(commit.author?.username ?? commit.author?.name)
})

const toComment = (comment: Of<"comment">): CodeHost.Comment => ({
  body: some(comment.body),
  url: some(comment.html_url),
  author: some(comment.user?.login),
  commitId: some(comment.commit_id),
  path: text(comment.path)
})

const toRepository = (repository: Of<"repository">): CodeHost.Repository => ({
  name: some(repository.name),
  fullName: some(repository.full_name),
  url: some(repository.html_url)
})

const toNumbers = (pullRequests: CheckSuite["pull_requests"]): ReadonlyArray<number> =>
  (pullRequests ?? []).flatMap(({ number }) => number ?? [])

const toCheckSuite = (suite: CheckSuite): CodeHost.CheckSuite => ({
  applicationName: some(suite.app?.name),
  conclusion: some(suite.conclusion),
  headBranch: some(suite.head_branch),
  headCommitId: some(suite.head_sha),
  pullRequests: toNumbers(suite.pull_requests)
})

const toSubject = (subject: Subject): CodeHost.Subject => ({
  number: some(subject.number),
  title: some(subject.title),
  body: some(subject.body),
  url: some(subject.html_url)
})

/** The domain's notification for a body of the code host. */
export const ofCodeHost = (body: Bodies.CodeHost): CodeHost.Notification => ({
  sender: {
    login: body.sender.login ?? "",
    url: some(body.sender.html_url),
    avatarUrl: some(body.sender.avatar_url)
  },
  action: some(body.action),
  repository: Option.map(some(body.repository), toRepository),
  ref: some(body.ref),
  refType: some(body.ref_type),
  masterBranch: text(body.master_branch),
  before: text(body.before),
  after: text(body.after),
  created: flag(body.created),
  deleted: flag(body.deleted),
  forced: some(body.forced),
  compareUrl: some(body.compare),
  commits: (body.commits ?? []).map(toCommit),
  moreCommits: 0,
  headCommit: Option.map(some(body.head_commit), toCommit),
  issue: Option.map(some(body.issue), (issue) => ({
    ...toSubject(issue),
    stateReason: text(issue.state_reason),
    isPullRequest: Predicate.isObject(issue.pull_request)
  })),
  pullRequest: Option.map(some(body.pull_request), (pullRequest) => ({
    ...toSubject(pullRequest),
    merged: pullRequest.merged === true,
    draft: pullRequest.draft === true
  })),
  review: Option.map(some(body.review), (review) => ({
    state: some(review.state),
    body: some(review.body),
    url: some(review.html_url)
  })),
  comment: Option.map(some(body.comment), toComment),
  discussion: Option.map(some(body.discussion), (discussion) => ({
    ...toSubject(discussion),
    answerUrl: some(discussion.answer_html_url),
    category: nameOf(discussion.category)
  })),
  answer: Option.map(some(body.answer), toComment),
  checkRun: Option.map(some(body.check_run), (run) => ({
    name: some(run.name),
    conclusion: some(run.conclusion),
    url: some(run.html_url),
    detailsUrl: some(run.details_url),
    outputTitle: some(run.output?.title),
    outputSummary: some(run.output?.summary),
    pullRequests: toNumbers(run.pull_requests),
    suite: Option.map(some(run.check_suite), toCheckSuite)
  })),
  checkSuite: Option.map(some(body.check_suite), toCheckSuite),
  release: Option.map(some(body.release), (release) => ({
    name: text(release.name),
    tagName: some(release.tag_name),
    body: some(release.body),
    url: some(release.html_url),
    prerelease: release.prerelease === true
  })),
  forkee: Option.map(some(body.forkee), toRepository),
  member: Option.flatMap(some(body.member), (member) =>
    Option.map(some(member.login), (login) => ({
      login,
      url: some(member.html_url),
      avatarUrl: some(member.avatar_url)
    })))
})

const toIssue = (issue: ErrorTrackerIssue): ErrorTracker.Issue => ({
  shortId: some(issue.shortId),
  title: some(issue.title),
  page: {
    id: Option.map(some(issue.id), String),
    permalink: some(issue.permalink),
    webUrl: text(issue.web_url),
    apiUrl: Option.none(),
    projectUrl: Option.none()
  },
  level: some(issue.level),
  substatus: text(issue.substatus),
  projectName: some(issue.project?.name ?? issue.project?.slug),
  culprit: some(issue.culprit),
  errorType: some(issue.metadata?.type),
  errorValue: some(issue.metadata?.value),
  eventCount: Option.map(some(issue.count), String),
  userCount: Option.map(some(issue.userCount), String),
  assignee: nameOf(issue.assignedTo)
})

/** The domain's notification for a body of the error tracker. */
export const ofErrorTracker = (body: Bodies.ErrorTracker): ErrorTracker.Notification => ({
  action: some(body.action),
  issue: Option.map(some(body.data?.issue), toIssue),
  issueAlert: Option.none(),
  metricAlert: Option.none(),
  actor: Option.map(some(body.actor), ({ name, type }) => ({ name: some(name), type: some(type) }))
})
