import { delivery } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import type {
  CheckRun,
  CheckSuite,
  Comment,
  Commit,
  Notification
} from "../../../src/webhook/code-host/Notification.ts"
import { shown } from "../Shown.ts"

/** The page of the repository of all notifications in these tests. */
export const REPOSITORY_URL = "https://code.example/octo-org/octo-repo"

/** A notification by `octocat` about `octo-org/octo-repo`, with the fields that the test gives. */
export const notification = (
  parts: Partial<Omit<Notification, "commits">> & {
    readonly commits?: ReadonlyArray<Commit>
    /** The number of commits that are not read. */
    readonly moreCommits?: number
  }
): Notification => {
  const { commits, moreCommits = 0, ...others } = parts
  return {
    sender: {
      login: "octocat",
      html_url: "https://code.example/octocat",
      avatar_url: "https://avatars.example/octocat?v=4"
    },
    repository: { name: "octo-repo", full_name: "octo-org/octo-repo", html_url: REPOSITORY_URL },
    ...(commits !== undefined && { commits: { first: commits, total: commits.length + moreCommits } }),
    ...others
  }
}

/** The message of a notification of this event, as a client receives it; undefined if nothing is posted. */
export const posted = (event: string, parts: Parameters<typeof notification>[0]) =>
  shown(delivery({ deliveryId: undefined, event }, notification(parts)))

/** A commit whose id is forty times that digit. */
export const commit = (digit: string, message: string, author = "mona"): Commit => ({
  id: digit.repeat(40),
  url: `${REPOSITORY_URL}/commit/${digit.repeat(40)}`,
  message,
  author: { username: author }
})

export const issue = {
  number: 7,
  title: "It breaks on **Tuesdays**",
  body: "Steps: call `run()`.",
  html_url: `${REPOSITORY_URL}/issues/7`
}

export const pullRequest = {
  number: 8,
  title: "Make it work",
  body: "Closes #7.",
  html_url: `${REPOSITORY_URL}/pull/8`,
  merged: false,
  draft: false
}

export const discussion = {
  number: 9,
  title: "What next?",
  body: "Ideas, please.",
  html_url: `${REPOSITORY_URL}/discussions/9`,
  category: { name: "Ideas" }
}

export const comment: Comment = {
  body: "Looks _good_ to me",
  html_url: `${REPOSITORY_URL}/issues/7#issuecomment-1`,
  user: { login: "mona" }
}

export const checkSuite: CheckSuite = {
  app: { name: "Octo CI" },
  conclusion: "success",
  head_branch: "main",
  head_sha: "a".repeat(40)
}

export const checkRun: CheckRun = {
  name: "lint",
  conclusion: "success",
  html_url: `${REPOSITORY_URL}/runs/1`,
  details_url: "https://ci.example/1",
  check_suite: checkSuite
}
