import { Embed } from "@community-messaging/domain/message/Embed"
import { delivery } from "@community-messaging/domain/webhook/code-host/CodeHostEvent"
import { ofBody } from "@community-messaging/http-adapter/server/Violations"
import { CodeHostBody } from "@community-messaging/http-adapter/webhooks/Api"
import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { type Example, examples, HOSTS } from "./CodeHostExamples.ts"

const decode = Schema.decodeUnknownEither(CodeHostBody, { errors: "all" })
const encode = Schema.encodeSync(Embed)

const SENDER = {
  id: 1,
  login: "octocat",
  html_url: "https://code.example/octocat",
  avatar_url: "https://avatars.example/octocat"
}

const posted = (event: string | undefined, body: unknown) =>
  Either.getOrUndefined(
    Either.map(delivery({ deliveryId: undefined, event }, Either.getOrThrow(decode(body))).embed, encode)
  )

const violations = (body: unknown): ReadonlyArray<readonly [path: string, code: string]> =>
  Either.match(decode(body), {
    onLeft: ({ issue }) => ofBody(issue).map(({ code, path }) => [path, code]),
    onRight: () => []
  })

/** Security advisories have no sender. */
const isSent = ({ body }: Example): boolean => "sender" in body

describe.each(HOSTS)("the notifications that %s documents", (host) => {
  const documented = examples(host)

  it("are read, all that have a sender", () => {
    const refused = documented.filter(isSent).filter(({ body }) => Either.isLeft(decode(body)))
    expect(refused).toEqual([])
  })

  it("are the same without a header, if they have distinct fields", () => {
    const differing = documented
      .filter((example) => isSent(example) && !["public", "repository"].includes(example.event))
      .filter(({ body, event }) => JSON.stringify(posted(event, body)) !== JSON.stringify(posted(undefined, body)))
    expect(differing).toEqual([])
  })

  it("make no message without a header, if they have no distinct fields", () => {
    const silent = documented
      .filter(({ event }) => ["public", "repository"].includes(event))
      .map(({ body }) => posted(undefined, body))
    expect(new Set(silent)).toEqual(new Set([undefined]))
  })
})

describe("of the documented notifications", () => {
  const titles = new Map<string, string | undefined>()
  for (const { action, body, event } of examples("api.github.com").filter(isSent)) {
    const title = posted(event, body)?.title
    const key = action === "" ? event : `${event} ${action}`
    titles.set(key, titles.get(key) ?? title)
  }

  it("these post", () => {
    expect(Object.fromEntries(Array.from(titles).filter(([, title]) => title !== undefined))).toEqual({
      "check_run completed": "[Codertocat/Hello-World] Octocoders-linter failed on changes",
      "check_suite completed": "[Codertocat/Hello-World] Check suite octocoders-linter passed on changes",
      "commit_comment created": "[Codertocat/Hello-World] New comment on commit 6113728",
      create: "[Codertocat/Hello-World] New tag created: simple-tag",
      delete: "[Codertocat/Hello-World] Tag deleted: simple-tag",
      "discussion answered": "[Codertocat/Hello-World] Discussion answered: #4 TEST edit",
      "discussion created": "[octo-org/octo-repo] New discussion: #90 Welcome to discussions!",
      "discussion_comment created": "[octo-org/octo-repo] New comment on discussion #90: Welcome to discussions!",
      fork: "[Codertocat/Hello-World] Fork created: Octocoders/Hello-World",
      "issue_comment created": "[Codertocat/Hello-World] New comment on issue #1: Spelling error in the README file",
      "issues opened": "[Codertocat/Hello-World] Issue opened: #1 Spelling error in the README file",
      "issues reopened": "[Codertocat/Hello-World] Issue reopened: #1 Spelling error in the README file",
      "member added": "[Codertocat/Hello-World] New collaborator added: hacktocat",
      public: "[Codertocat/Hello-World] Repository is now public",
      "pull_request closed": "[Codertocat/Hello-World] Pull request closed: #2 Update the README with new information.",
      "pull_request opened": "[Codertocat/Hello-World] Pull request opened: #2 Update the README with new information.",
      "pull_request ready_for_review":
        "[Codertocat/Hello-World] Pull request ready for review: #2 Update the README with new information.",
      "pull_request reopened":
        "[Codertocat/Hello-World] Pull request reopened: #2 Update the README with new information.",
      "pull_request_review submitted":
        "[Codertocat/Hello-World] New review on pull request #2: Update the README with new information.",
      "pull_request_review_comment created":
        "[Codertocat/Hello-World] New review comment on pull request #2: Update the README with new information.",
      push: "[Codertocat/Hello-World] New tag pushed: simple-tag",
      "release published": "[Codertocat/Hello-World] New release published: 0.0.1",
      "repository created": "[Octocoders/Hello-World] Repository created",
      "watch started": "[Codertocat/Hello-World] New star added"
    })
  })

  it("all others make no message", () => {
    const silent = Array.from(titles).flatMap(([key, title]) => title === undefined ? [key] : [])
    expect(silent.length).toBeGreaterThan(100)
  })
})

describe("a notification by the code host", () => {
  it("requires only a sender", () => {
    expect(violations({ sender: SENDER })).toEqual([])
  })

  it.each([[null], [5], ["x"], [[]], [true]])("must be an object, not %j", (body) => {
    expect(violations(body)).toEqual([["root", "INVALID_FORMAT"]])
  })

  it.each<readonly [unknown, ReadonlyArray<readonly [string, string]>]>([
    [undefined, [["sender", "REQUIRED"]]],
    [null, [["sender", "INVALID_FORMAT"]]],
    ["octocat", [["sender", "INVALID_FORMAT"]]],
    [{ ...SENDER, id: 1.5 }, [["sender.id", "INVALID_FORMAT"]]],
    [{ ...SENDER, login: 1 }, [["sender.login", "INVALID_FORMAT"]]],
    [{ ...SENDER, avatar_url: 1 }, [["sender.avatar_url", "INVALID_FORMAT"]]]
  ])("has a sender of the right shape, not %j", (sender, expected) => {
    expect(violations(sender === undefined ? {} : { sender })).toEqual(expected)
  })

  it.each([{}, { login: "octocat" }, { id: null, login: null, html_url: null }])(
    "may have a sender without most or all of its fields: %j",
    (sender) => {
      expect(violations({ sender })).toEqual([])
    }
  )

  it("may have a sender with a string or an integer of any size as its id", () => {
    expect(violations({ sender: { id: "1", login: "octocat" } })).toEqual([])
    expect(violations({ sender: { id: 2 ** 64, login: "octocat" } })).toEqual([])
  })

  it("is refused with all fields of a wrong type", () => {
    const body = {
      sender: SENDER,
      action: 1,
      issue: 5,
      forced: "yes",
      commits: [{ id: "a" }, { author: { name: [] } }, null],
      check_run: { check_suite: { pull_requests: [{ number: "1" }] } },
      comment: { user: { login: {} } },
      discussion: { number: 1.5 }
    }
    expect(new Set(violations(body).map(([path]) => path))).toEqual(
      new Set([
        "action",
        "issue",
        "forced",
        "commits.1.author.name",
        "commits.2",
        "check_run.check_suite.pull_requests.0.number",
        "comment.user.login",
        "discussion.number"
      ])
    )
  })

  it("may have anything in fields that are not listed", () => {
    const body = {
      sender: { ...SENDER, plan: 1 },
      created: "x",
      deleted: 1,
      before: {},
      after: [],
      master_branch: 5,
      organization: 7,
      installation: "x",
      pull_request: { merged: "x", draft: 2 },
      issue: { pull_request: 1, state_reason: 3 },
      release: { name: {}, prerelease: "x" },
      discussion: { category: "x" },
      comment: { path: 1 }
    }
    expect(violations(body)).toEqual([])
  })
})

describe("a message of a notification by the code host", () => {
  const repository = { id: 1, name: "octo-repo", full_name: "octo-org/octo-repo", html_url: "https://code.example/o/r" }
  const pull_request = { number: 8, title: "Make it work", html_url: "https://code.example/o/r/pull/8", body: null }
  const common = { sender: SENDER, repository }

  it("distinguishes a merged pull request from a closed one", () => {
    const body = { ...common, action: "closed", pull_request: { ...pull_request, merged: true } }
    expect(posted("pull_request", body)?.title)
      .toBe("[octo-org/octo-repo] Pull request merged: #8 Make it work")
  })

  it("links to a review within its pull request", () => {
    const review = { user: SENDER, state: "approved", body: null, html_url: "https://code.example/o/r/pull/8#review-1" }
    expect(posted("pull_request_review", { ...common, action: "submitted", pull_request, review })?.url)
      .toBe("https://code.example/o/r/pull/8#review-1")
  })

  it("distinguishes a comment on a pull request from one on an issue", () => {
    const body = {
      ...common,
      action: "created",
      comment: { body: "Hi" },
      issue: { number: 8, pull_request: { url: "x" } }
    }
    expect(posted("issue_comment", body)?.title).toBe(
      "[octo-org/octo-repo] New comment on pull request #8"
    )
  })

  it("has the author of a commit by account, or else by name", () => {
    const commits = [
      { id: "1".repeat(40), message: "One", author: { name: "Mona Lisa", username: "mona" } },
      { id: "2".repeat(40), message: "Two", author: { name: "Mona Lisa" } },
      { id: "3".repeat(40), message: "Three", author: { name: "Mona Lisa", username: " " } }
    ]
    expect(posted("push", { ...common, ref: "refs/heads/main", commits })?.description)
      .toBe("`1111111` One - mona\n`2222222` Two - Mona Lisa\n`3333333` Three - Mona Lisa")
  })
})
