import { describe, expect, it } from "@effect/vitest"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { posted, REPOSITORY_URL } from "./Notifications.ts"

describe("a release", () => {
  const release = {
    name: "The big one",
    tag_name: "v2.0",
    body: "Everything is new.",
    html_url: `${REPOSITORY_URL}/releases/tag/v2.0`,
    prerelease: false
  }

  it("posts with its notes when it is published", () => {
    expect(posted("release", { action: "published", release })).toMatchObject({
      title: "[octo-org/octo-repo] New release published: The big one",
      url: `${REPOSITORY_URL}/releases/tag/v2.0`,
      color: COLOUR.published,
      description: "Everything is new."
    })
  })

  it("is called by its tag if it has no name", () => {
    expect(
      posted("release", { action: "published", release: { ...release, name: "" } })?.title
    )
      .toBe("[octo-org/octo-repo] New release published: v2.0")
  })

  it("has another title when it is a pre-release", () => {
    expect(posted("release", { action: "published", release: { ...release, prerelease: true } })?.title)
      .toBe("[octo-org/octo-repo] New pre-release published: The big one")
  })
})
