import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { infer } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import { checkRun, checkSuite, comment, commit, discussion, issue, notification, pullRequest } from "./Notifications.ts"

type Parts = Parameters<typeof notification>[0]

const REPOSITORY = { name: Option.some("octo-repo"), fullName: Option.none(), url: Option.none() }
const MEMBER = { login: "mona", url: Option.none(), avatarUrl: Option.none() }
const REVIEW = { state: Option.some("approved"), body: Option.none(), url: Option.none() }
const RELEASE = {
  name: Option.none(),
  tagName: Option.some("v1"),
  body: Option.none(),
  url: Option.none(),
  prerelease: false
}

const CASES: ReadonlyArray<readonly [event: string, parts: Parts]> = [
  ["check_run", { checkRun: Option.some(checkRun) }],
  ["check_suite", { checkSuite: Option.some(checkSuite) }],
  ["pull_request_review", { review: Option.some(REVIEW), pullRequest: Option.some(pullRequest) }],
  ["release", { release: Option.some(RELEASE) }],
  ["fork", { forkee: Option.some(REPOSITORY) }],
  ["discussion_comment", { discussion: Option.some(discussion), comment: Option.some(comment) }],
  ["discussion", { discussion: Option.some(discussion), answer: Option.some(comment) }],
  ["discussion", { discussion: Option.some(discussion) }],
  ["pull_request_review_comment", { pullRequest: Option.some(pullRequest), comment: Option.some(comment) }],
  ["issue_comment", { issue: Option.some(issue), comment: Option.some(comment) }],
  ["commit_comment", { comment: Option.some({ ...comment, commitId: Option.some("c".repeat(40)) }) }],
  ["pull_request", { pullRequest: Option.some(pullRequest) }],
  ["issues", { issue: Option.some(issue) }],
  ["member", { member: Option.some(MEMBER) }],
  ["create", { ref: "a", refType: Option.some("branch"), masterBranch: Option.some("main") }],
  ["delete", { ref: "a", refType: Option.some("branch") }],
  ["push", { ref: "refs/heads/main", commits: [commit("1", "Add a")] }],
  ["push", { ref: "refs/heads/main", headCommit: Option.some(commit("1", "Add a")) }],
  ["push", { ref: "refs/heads/main", compareUrl: Option.some("https://code.example/compare") }],
  ["watch", { action: "started" }]
]

describe("an event without a header", () => {
  it.each(CASES)("is inferred as %s from the fields of its notification", (event, parts) => {
    expect(infer(notification(parts))).toStrictEqual(Option.some(event))
  })

  it.each<readonly [string, Parts]>([
    ["nothing of its own", {}],
    ["an action alone", { action: "created" }],
    ["a ref alone", {
      ref: "refs/heads/main",
      before: Option.some("a".repeat(40)),
      after: Option.some("b".repeat(40))
    }],
    ["a comment on something unknown", { comment: Option.some(comment) }],
    ["a member without a repository", { member: Option.some(MEMBER), repository: Option.none() }]
  ])("is not inferred from %s", (_, parts) => {
    expect(infer(notification(parts))).toStrictEqual(Option.none())
  })

  it("posts like one with a header", () => {
    const opened = notification({ action: "opened", issue: Option.some(issue) })
    expect(embed(Option.none(), opened)).toStrictEqual(embed(Option.some("issues"), opened))
  })
})

describe("an event with a header", () => {
  it.each(["ping", "star", "workflow_run", "milestone", "", "constructor", "__proto__", "Issues"])(
    "makes no message when it is not among those that post: %s",
    (event) => {
      const opened = notification({ action: "opened", issue: Option.some(issue) })
      expect(embed(Option.some(event), opened)).toStrictEqual(Option.none())
    }
  )
})
