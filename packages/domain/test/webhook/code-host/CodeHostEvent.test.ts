import { describe, expect, it } from "@effect/vitest"
import { Either, FastCheck, Option, Record } from "effect"
import { delivery, eventOf } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import { Notification } from "../../../src/webhook/code-host/Notification.ts"
import { expectHarmless, hostile } from "../Hostile.ts"
import { thirdPartyText } from "../ThirdPartyText.ts"
import {
  checkRun,
  checkSuite,
  comment,
  commit,
  discussion,
  issue,
  notification,
  posted,
  pullRequest
} from "./Notifications.ts"

type Parts = Parameters<typeof notification>[0]

type CodeHostEvent = Option.Option.Value<ReturnType<typeof eventOf>>

const of = (event: string | undefined, sent: Notification) => delivery({ deliveryId: undefined, event }, sent)

const REPOSITORY = { name: "octo-repo" }
const MEMBER = { login: "mona" }
const REVIEW = { state: "approved" }
const RELEASE = { tag_name: "v1" }

const CASES: ReadonlyArray<readonly [event: string, parts: Parts]> = [
  ["check_run", { check_run: checkRun }],
  ["check_suite", { check_suite: checkSuite }],
  ["pull_request_review", { review: REVIEW, pull_request: pullRequest }],
  ["release", { release: RELEASE }],
  ["fork", { forkee: REPOSITORY }],
  ["discussion_comment", { discussion, comment }],
  ["discussion", { discussion, answer: comment }],
  ["discussion", { discussion }],
  ["pull_request_review_comment", { pull_request: pullRequest, comment }],
  ["issue_comment", { issue, comment }],
  ["commit_comment", { comment: { ...comment, commit_id: "c".repeat(40) } }],
  ["pull_request", { pull_request: pullRequest }],
  ["issues", { issue }],
  ["member", { member: MEMBER }],
  ["create", { ref: "a", ref_type: "branch", master_branch: "main" }],
  ["delete", { ref: "a", ref_type: "branch" }],
  ["push", { ref: "refs/heads/main", commits: [commit("1", "Add a")] }],
  ["push", { ref: "refs/heads/main", commits: [], deleted: true }],
  ["push", { ref: "refs/heads/main", head_commit: commit("1", "Add a") }],
  ["push", { ref: "refs/heads/main", compare: "https://code.example/compare" }],
  ["watch", { action: "started" }]
]

describe("an event without a header", () => {
  it.each(CASES)("is inferred as %s from the fields of its notification", (event, parts) => {
    expect(eventOf(Option.none(), notification(parts))).toStrictEqual(Option.some(event))
  })

  it.each<readonly [string, Parts]>([
    ["nothing of its own", {}],
    ["an action alone", { action: "created" }],
    ["a ref alone", {
      ref: "refs/heads/main",
      before: "a".repeat(40),
      after: "b".repeat(40)
    }],
    ["a comment on something unknown", { comment }],
    ["a member without a repository", { member: MEMBER, repository: null }]
  ])("is not inferred from %s", (_, parts) => {
    expect(eventOf(Option.none(), notification(parts))).toStrictEqual(Option.none())
  })

  it.each([undefined, ""])("posts like one with a header: %s", (missing) => {
    const opened = notification({ action: "opened", issue })
    expect(of(missing, opened)).toStrictEqual(of("issues", opened))
  })
})

describe("an event with a header", () => {
  it.each(["ping", "star", "workflow_run", "milestone", "constructor", "__proto__", "Issues"])(
    "makes no message when it is not among those that post: %s",
    (event) => {
      const opened = notification({ action: "opened", issue })
      expect(of(event, opened).embed).toStrictEqual(Either.left("event ignored"))
    }
  )
})

/** The events that post, with their actions: an empty one if it may be left out, and no others if any posts. */
const POSTS: { readonly [event in CodeHostEvent]: ReadonlyArray<string> } = {
  push: [""],
  commit_comment: ["created", ""],
  create: [""],
  delete: [""],
  fork: [""],
  issues: ["opened", "closed", "reopened"],
  issue_comment: ["created"],
  pull_request: ["opened", "closed", "reopened", "ready_for_review"],
  pull_request_review: ["submitted"],
  pull_request_review_comment: ["created", ""],
  release: ["published"],
  watch: ["started"],
  member: ["added"],
  public: [""],
  check_run: ["completed"],
  check_suite: ["completed"],
  discussion: ["created", "answered"],
  discussion_comment: ["created", ""],
  repository: ["created"]
}

const EVENTS = Record.keys(POSTS)

const news = FastCheck.constantFrom(...EVENTS).chain((event) =>
  FastCheck.record({
    event: FastCheck.constant(event),
    action: FastCheck.constantFrom(...POSTS[event]),
    ref: FastCheck.tuple(FastCheck.constantFrom("refs/heads/", "refs/tags/", ""), thirdPartyText),
    anything: hostile(Notification)
  })
).map(({ action, anything, event, ref }) => ({
  event,
  notification: { ...anything, action, ref: ref.join("") }
}))

/** The subjects of all events that have actions. */
const subjects = {
  check_run: checkRun,
  check_suite: checkSuite,
  comment,
  discussion,
  issue,
  member: MEMBER,
  pull_request: pullRequest,
  release: RELEASE,
  review: REVIEW
}

const withActions = EVENTS.filter((event) => POSTS[event].some((action) => action !== ""))

const ACTIONS = new Set([...Object.values(POSTS).flat(), "edited", "deleted", "labeled", "dismissed", "constructor"])

describe("the message of a code host's event", () => {
  it.each(withActions)("is made for the actions of %s that post, and for no others", (event) => {
    const posting = [...ACTIONS].filter((action) => posted(event, { ...subjects, action }) !== undefined)
    expect(new Set(posting)).toEqual(new Set(POSTS[event]))
  })

  it.prop(
    "stays within its bounds and its place, for any third-party text",
    [news],
    ([{ event, notification: anything }]) => {
      expectHarmless(of(event, anything))
    },
    { fastCheck: { numRuns: 60 }, timeout: 60_000 }
  )

  it.prop(
    "stays within its bounds and its place without a header",
    [news],
    ([{ notification: anything }]) => {
      expectHarmless(of(undefined, anything))
    },
    60_000
  )

  it("has no author if the sender has no visible name", () => {
    const nameless = { ...MEMBER, login: " \u202e" }
    expect(Either.map(of("public", notification({ sender: nameless })).embed, (_) => _.author))
      .toStrictEqual(Either.right(Option.none()))
  })

  it("names the sender without an icon if the icon has no web URL", () => {
    const sender = { ...MEMBER, avatar_url: "data:image/png;base64,AA==" }
    const author = Either.getOrThrow(of("public", notification({ sender })).embed).author
    expect(Option.map(author, ({ iconUrl, name }) => ({ iconUrl, name })))
      .toStrictEqual(Option.some({ iconUrl: Option.none(), name: Option.some("mona") }))
  })
})
