import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import type { Issue } from "../../../src/webhook/code-host/Notification.ts"
import { issue, posted, REPOSITORY_URL } from "./Notifications.ts"

const changed = (action: string, parts: Partial<Issue> = {}) =>
  posted("issues", { action, issue: { ...issue, ...parts } })

describe("an issue", () => {
  it("posts with its text when it is opened", () => {
    expect(changed("opened")).toEqual({
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

  it.each([
    ["closed", {}, "Issue closed", COLOUR.done],
    ["closed", { state_reason: "not_planned" }, "Issue closed as not planned", COLOUR.inactive],
    ["reopened", {}, "Issue reopened", COLOUR.good]
  ])("posts without its text when it is %s %j", (action, parts, what, colour) => {
    const { color, description, title } = changed(action, parts) ?? {}
    expect([title, color, description]).toEqual([
      `[octo-org/octo-repo] ${what}: #7 It breaks on \\*\\*Tuesdays\\*\\*`,
      colour,
      undefined
    ])
  })

  it("posts what is known of it, without a URL that is not a web URL", () => {
    const parts = {
      number: null,
      title: null,
      body: " \n",
      html_url: "javascript:alert(1)"
    }
    const { description, title, url } = changed("opened", parts) ?? {}
    expect([title, url, description]).toEqual(["[octo-org/octo-repo] Issue opened", undefined, undefined])
  })

  it("has its title cut at 256 characters", () => {
    expect(changed("opened", { title: "😀".repeat(300) })?.title)
      .toBe(`[octo-org/octo-repo] Issue opened: #7 ${"😀".repeat(217)}…`)
  })

  it("makes no message when the notification has none", () => {
    expect(posted("issues", { action: "opened" })).toBeUndefined()
  })
})
