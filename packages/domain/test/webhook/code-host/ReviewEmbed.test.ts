import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { posted, pullRequest, REPOSITORY_URL } from "./Notifications.ts"

const reviewed = (state: string) =>
  posted("pull_request_review", {
    action: "submitted",
    pull_request: pullRequest,
    review: {
      state,
      body: "Nice!",
      html_url: `${REPOSITORY_URL}/pull/8#pullrequestreview-1`
    }
  })

describe("a review of a pull request", () => {
  it.each([
    ["approved", "Pull request approved", COLOUR.good],
    ["APPROVED", "Pull request approved", COLOUR.good],
    ["changes_requested", "Changes requested on pull request", COLOUR.attention],
    ["dismissed", "Review dismissed on pull request", COLOUR.inactive],
    ["commented", "New review on pull request", COLOUR.comment]
  ])("posts by its state when it is submitted: %s", (state, what, colour) => {
    expect(reviewed(state)).toMatchObject({
      title: `[octo-org/octo-repo] ${what} #8: Make it work`,
      url: `${REPOSITORY_URL}/pull/8#pullrequestreview-1`,
      color: colour,
      description: "Nice!"
    })
  })
})
