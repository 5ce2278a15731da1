import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import type { Issue } from "../../../src/webhook/code-host/Notification.ts"
import { shown } from "../Shown.ts"
import { comment, issue, notification, REPOSITORY_URL } from "./Notifications.ts"

const posted = (action: string, parts: Partial<Issue> = {}) =>
  shown(embed(Option.some("issues"), notification({ action, issue: Option.some({ ...issue, ...parts }) })))

const commented = (action: string, isPullRequest: boolean) =>
  shown(embed(
    Option.some("issue_comment"),
    notification({ action, issue: Option.some({ ...issue, isPullRequest }), comment: Option.some(comment) })
  ))

describe("an issue", () => {
  it("posts with its text when it is opened", () => {
    expect(posted("opened")).toEqual({
      type: "rich",
      title: "[octo-org/octo-repo] Issue opened: #7 It breaks on \\*\\*Tuesdays\\*\\*",
      url: `${REPOSITORY_URL}/issues/7`,
      color: COLOUR.good,
      author: {
        name: "octocat",
        url: "https://code.example/octocat",
        iconUrl: "https://avatars.example/octocat?v=4"
      },
      description: "Steps: call `run()`."
    })
  })

  it("posts without its text when it is closed", () => {
    const { color, description, title } = posted("closed") ?? {}
    expect([title, color, description]).toEqual([
      "[octo-org/octo-repo] Issue closed: #7 It breaks on \\*\\*Tuesdays\\*\\*",
      COLOUR.done,
      undefined
    ])
  })

  it("has another title when it is closed as not planned", () => {
    expect(posted("closed", { stateReason: Option.some("not_planned") })).toMatchObject({
      title: "[octo-org/octo-repo] Issue closed as not planned: #7 It breaks on \\*\\*Tuesdays\\*\\*",
      color: COLOUR.inactive
    })
  })

  it("posts when it is reopened", () => {
    expect(posted("reopened")).toMatchObject({
      title: "[octo-org/octo-repo] Issue reopened: #7 It breaks on \\*\\*Tuesdays\\*\\*",
      color: COLOUR.good
    })
  })

  it.each(["edited", "labeled", "assigned", "deleted", "constructor", ""])(
    "makes no message when it is %s",
    (action) => {
      expect(posted(action)).toBeUndefined()
    }
  )

  it("has no description when its text is blank", () => {
    expect(posted("opened", { body: Option.some(" \n") })?.description).toBeUndefined()
  })

  it("posts without a URL if there is none", () => {
    expect(posted("opened", { url: Option.none() })?.url).toBeUndefined()
  })

  it("posts without a URL if it is not a web URL", () => {
    expect(posted("opened", { url: Option.some("javascript:alert(1)") })?.url).toBeUndefined()
  })

  it("posts without number and title if there are none", () => {
    expect(posted("opened", { number: Option.none(), title: Option.none() })?.title)
      .toBe("[octo-org/octo-repo] Issue opened")
  })

  it("has its title cut at 256 characters", () => {
    expect(posted("opened", { title: Option.some("😀".repeat(300)) })?.title)
      .toBe(`[octo-org/octo-repo] Issue opened: #7 ${"😀".repeat(217)}…`)
  })

  it("has its text cut, with a link to the rest", () => {
    const more = `… [and more](${REPOSITORY_URL}/issues/7)`
    expect(posted("opened", { body: Option.some("word ".repeat(1000)) })?.description).toMatch(
      /^(?:word )+word… \[and more\]/
    )
    expect(posted("opened", { body: Option.some("word ".repeat(1000)) })?.description?.endsWith(more)).toBe(true)
  })

  it("makes no message when the notification has none", () => {
    expect(embed(Option.some("issues"), notification({ action: "opened" }))).toStrictEqual(Option.none())
  })
})

describe("a comment on an issue", () => {
  it("posts when it is created", () => {
    expect(commented("created", false)).toMatchObject({
      title: "[octo-org/octo-repo] New comment on issue #7: It breaks on \\*\\*Tuesdays\\*\\*",
      url: `${REPOSITORY_URL}/issues/7#issuecomment-1`,
      color: COLOUR.comment,
      description: "Looks *good* to me"
    })
  })

  it("has another title when it is on a pull request", () => {
    expect(commented("created", true)?.title)
      .toBe("[octo-org/octo-repo] New comment on pull request #7: It breaks on \\*\\*Tuesdays\\*\\*")
  })

  it.each(["edited", "deleted"])("makes no message when it is %s", (action) => {
    expect(commented(action, false)).toBeUndefined()
  })
})
