import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { posted, pullRequest, REPOSITORY_URL } from "./Notifications.ts"

const changed = (action: string, parts: Partial<typeof pullRequest> = {}) =>
  posted("pull_request", { action, pull_request: { ...pullRequest, ...parts } })

describe("a pull request", () => {
  it.each([
    ["opened", {}, "Pull request opened", COLOUR.good, "Closes #7."],
    ["opened", { draft: true }, "Draft pull request opened", COLOUR.inactive, "Closes #7."],
    ["ready_for_review", {}, "Pull request ready for review", COLOUR.good, "Closes #7."],
    ["closed", {}, "Pull request closed", COLOUR.bad, undefined],
    ["closed", { merged: true }, "Pull request merged", COLOUR.done, undefined],
    ["reopened", {}, "Pull request reopened", COLOUR.good, undefined]
  ])("posts when it is %s and %o", (action, parts, what, colour, text) => {
    const { color, description, title, url } = changed(action, parts) ?? {}
    expect([title, url, color, description]).toEqual([
      `[octo-org/octo-repo] ${what}: #8 Make it work`,
      `${REPOSITORY_URL}/pull/8`,
      colour,
      text
    ])
  })
})
