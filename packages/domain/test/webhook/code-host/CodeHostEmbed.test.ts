import { describe, expect, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { CodeHostEvent } from "../../../src/webhook/code-host/CodeHostEvent.ts"
import { Notification } from "../../../src/webhook/code-host/Notification.ts"
import { expectHarmless, hostile } from "../Hostile.ts"
import { thirdPartyText } from "../ThirdPartyText.ts"
import { notification } from "./Notifications.ts"

/** The events that post, with their actions; an event without actions has an empty one. */
const POSTS: { readonly [event in CodeHostEvent]: ReadonlyArray<string> } = {
  push: [""],
  commit_comment: ["created"],
  create: [""],
  delete: [""],
  fork: [""],
  issues: ["opened", "closed", "reopened"],
  issue_comment: ["created"],
  pull_request: ["opened", "closed", "reopened", "ready_for_review"],
  pull_request_review: ["submitted"],
  pull_request_review_comment: ["created"],
  release: ["published"],
  watch: ["started"],
  member: ["added"],
  public: [""],
  check_run: ["completed"],
  check_suite: ["completed"],
  discussion: ["created", "answered"],
  discussion_comment: ["created"],
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

describe("the message of a code host's event", () => {
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
    const nameless = { login: " \u202e", url: Option.none(), avatarUrl: Option.none() }
    expect(Option.map(embed(Option.some("public"), notification({ sender: nameless })), (_) => _.author))
      .toStrictEqual(Option.some(Option.none()))
  })

  it("names the sender without an icon if the icon has no web URL", () => {
    const sender = { login: "mona", url: Option.none(), avatarUrl: Option.some("data:image/png;base64,AA==") }
    const author = Option.flatMap(embed(Option.some("public"), notification({ sender })), (_) => _.author)
    expect(Option.map(author, ({ iconUrl, name }) => ({ iconUrl, name })))
      .toStrictEqual(Option.some({ iconUrl: Option.none(), name: Option.some("mona") }))
  })
})
