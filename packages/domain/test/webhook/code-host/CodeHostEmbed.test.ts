import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { CodeHostEvent } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import { Notification } from "../../../src/webhook/code-host/Notification.ts"
import { expectHarmless, hostile } from "../Hostile.ts"
import { thirdPartyText } from "../ThirdPartyText.ts"
import { checkRun, checkSuite, comment, discussion, issue, notification, posted, pullRequest } from "./Notifications.ts"

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

const news = FastCheck.constantFrom(...CodeHostEvent.literals).chain((event) =>
  FastCheck.record({
    event: FastCheck.constant(event),
    action: FastCheck.constantFrom(...POSTS[event]),
    ref: FastCheck.tuple(FastCheck.constantFrom("refs/heads/", "refs/tags/", ""), thirdPartyText),
    anything: hostile(Notification)
  })
).map(({ action, anything, event, ref }) => ({
  event,
  notification: { ...anything, action: Option.some(action), ref: Option.some(ref.join("")) }
}))

const actor = { login: "mona", url: Option.none(), avatarUrl: Option.none() }
const repository = { name: Option.some("octo-repo"), fullName: Option.none(), url: Option.none() }

/** The subjects of all events that have actions. */
const subjects = {
  checkRun: Option.some(checkRun),
  checkSuite: Option.some(checkSuite),
  comment: Option.some(comment),
  discussion: Option.some(discussion),
  issue: Option.some(issue),
  member: Option.some(actor),
  pullRequest: Option.some(pullRequest),
  release: Option.some({ ...repository, tagName: Option.some("v1"), body: Option.none(), prerelease: false }),
  review: Option.some({ state: Option.some("approved"), body: Option.none(), url: Option.none() })
}

const withActions = CodeHostEvent.literals.filter((event) => POSTS[event].some((action) => action !== ""))

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
      expectHarmless(embed(Option.some(event), anything))
    },
    { fastCheck: { numRuns: 60 }, timeout: 60_000 }
  )

  it.prop(
    "stays within its bounds and its place without a header",
    [news],
    ([{ notification: anything }]) => {
      expectHarmless(embed(Option.none(), anything))
    },
    60_000
  )

  it("has no author if the sender has no visible name", () => {
    const nameless = { ...actor, login: " \u202e" }
    expect(Option.map(embed(Option.some("public"), notification({ sender: nameless })), (_) => _.author))
      .toStrictEqual(Option.some(Option.none()))
  })

  it("names the sender without an icon if the icon has no web URL", () => {
    const sender = { ...actor, avatarUrl: Option.some("data:image/png;base64,AA==") }
    const author = Option.flatMap(embed(Option.some("public"), notification({ sender })), (_) => _.author)
    expect(Option.map(author, ({ iconUrl, name }) => ({ iconUrl, name })))
      .toStrictEqual(Option.some({ iconUrl: Option.none(), name: Option.some("mona") }))
  })
})
