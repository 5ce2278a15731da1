import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { shown } from "../Shown.ts"
import { comment, notification, pullRequest, REPOSITORY_URL } from "./Notifications.ts"

const reviewed = (state: string, action = "submitted") =>
  shown(embed(
    Option.some("pull_request_review"),
    notification({
      action,
      pullRequest: Option.some(pullRequest),
      review: Option.some({
        state: Option.some(state),
        body: Option.some("Nice!"),
        url: Option.some(`${REPOSITORY_URL}/pull/8#pullrequestreview-1`)
      })
    })
  ))

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

  it.each(["edited", "dismissed"])("makes no message when it is %s", (action) => {
    expect(reviewed("approved", action)).toBeUndefined()
  })
})

describe("a comment on a line of a pull request", () => {
  const commented = (action: string) =>
    shown(embed(
      Option.some("pull_request_review_comment"),
      notification({
        action,
        pullRequest: Option.some(pullRequest),
        comment: Option.some({ ...comment, path: Option.some("src/a_b.ts") })
      })
    ))

  it("posts with its file when it is created", () => {
    expect(commented("created")).toMatchObject({
      title: "[octo-org/octo-repo] New review comment on pull request #8: Make it work",
      color: COLOUR.comment,
      description: "Looks *good* to me",
      fields: [{ name: "File", value: "`src/a_b.ts`", inline: false }]
    })
  })

  it.each(["edited", "deleted"])("makes no message when it is %s", (action) => {
    expect(commented(action)).toBeUndefined()
  })
})
