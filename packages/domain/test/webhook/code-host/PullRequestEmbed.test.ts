import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import type { PullRequest } from "../../../src/webhook/code-host/Notification.ts"
import { shown } from "../Shown.ts"
import { notification, pullRequest, REPOSITORY_URL } from "./Notifications.ts"

const posted = (action: string, parts: Partial<PullRequest> = {}) =>
  shown(embed(
    Option.some("pull_request"),
    notification({ action, pullRequest: Option.some({ ...pullRequest, ...parts }) })
  ))

describe("a pull request", () => {
  it.each([
    ["opened", {}, "Pull request opened", COLOUR.good, "Closes #7."],
    ["opened", { draft: true }, "Draft pull request opened", COLOUR.inactive, "Closes #7."],
    ["ready_for_review", {}, "Pull request ready for review", COLOUR.good, "Closes #7."],
    ["closed", {}, "Pull request closed", COLOUR.bad, undefined],
    ["closed", { merged: true }, "Pull request merged", COLOUR.done, undefined],
    ["reopened", {}, "Pull request reopened", COLOUR.good, undefined]
  ])("posts when it is %s and %o", (action, parts, what, colour, text) => {
    const { color, description, title, url } = posted(action, parts) ?? {}
    expect([title, url, color, description]).toEqual([
      `[octo-org/octo-repo] ${what}: #8 Make it work`,
      `${REPOSITORY_URL}/pull/8`,
      colour,
      text
    ])
  })

  it.each(["synchronize", "converted_to_draft", "labeled", "edited"])("makes no message when it is %s", (action) => {
    expect(posted(action)).toBeUndefined()
  })
})
