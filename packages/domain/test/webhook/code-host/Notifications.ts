import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import type { CodeHostEvent } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import {
  type CheckRun,
  type CheckSuite,
  type Comment,
  type Commit,
  type Discussion,
  type Issue,
  Notification,
  type PullRequest
} from "../../../src/webhook/code-host/Notification.ts"
import { shown } from "../Shown.ts"

/** The page of the repository of all notifications in these tests. */
export const REPOSITORY_URL = "https://code.example/octo-org/octo-repo"

/** A notification by `octocat` about `octo-org/octo-repo`, with the fields that the test gives. */
export const notification = (
  parts: Partial<Omit<Notification, "action" | "ref">> & { readonly action?: string; readonly ref?: string }
): Notification => {
  const { action, ref, ...others } = parts
  return Notification.make({
    sender: {
      login: "octocat",
      url: Option.some("https://code.example/octocat"),
      avatarUrl: Option.some("https://avatars.example/octocat?v=4")
    },
    repository: Option.some({
      name: Option.some("octo-repo"),
      fullName: Option.some("octo-org/octo-repo"),
      url: Option.some(REPOSITORY_URL)
    }),
    commits: [],
    moreCommits: 0,
    action: Option.fromNullable(action),
    ref: Option.fromNullable(ref),
    ...others
  })
}

/** The message of a notification of this event, as a client receives it; undefined if nothing is posted. */
export const posted = (event: CodeHostEvent, parts: Parameters<typeof notification>[0]) =>
  shown(embed(Option.some(event), notification(parts)))

/** A commit whose id is forty times that digit. */
export const commit = (digit: string, message: string, author = "mona"): Commit => ({
  id: Option.some(digit.repeat(40)),
  url: Option.some(`${REPOSITORY_URL}/commit/${digit.repeat(40)}`),
  message: Option.some(message),
  author: Option.some(author)
})

export const issue: Issue = {
  number: Option.some(7),
  title: Option.some("It breaks on **Tuesdays**"),
  body: Option.some("Steps: call `run()`."),
  url: Option.some(`${REPOSITORY_URL}/issues/7`),
  stateReason: Option.none(),
  isPullRequest: false
}

export const pullRequest: PullRequest = {
  number: Option.some(8),
  title: Option.some("Make it work"),
  body: Option.some("Closes #7."),
  url: Option.some(`${REPOSITORY_URL}/pull/8`),
  merged: false,
  draft: false
}

export const discussion: Discussion = {
  number: Option.some(9),
  title: Option.some("What next?"),
  body: Option.some("Ideas, please."),
  url: Option.some(`${REPOSITORY_URL}/discussions/9`),
  answerUrl: Option.none(),
  category: Option.some("Ideas")
}

export const comment: Comment = {
  body: Option.some("Looks _good_ to me"),
  url: Option.some(`${REPOSITORY_URL}/issues/7#issuecomment-1`),
  author: Option.some("mona"),
  commitId: Option.none(),
  path: Option.none()
}

export const checkSuite: CheckSuite = {
  applicationName: Option.some("Octo CI"),
  conclusion: Option.some("success"),
  headBranch: Option.some("main"),
  headCommitId: Option.some("a".repeat(40)),
  pullRequests: []
}

export const checkRun: CheckRun = {
  name: Option.some("lint"),
  conclusion: Option.some("success"),
  url: Option.some(`${REPOSITORY_URL}/runs/1`),
  detailsUrl: Option.some("https://ci.example/1"),
  outputTitle: Option.none(),
  outputSummary: Option.none(),
  pullRequests: [],
  suite: Option.some(checkSuite)
}
