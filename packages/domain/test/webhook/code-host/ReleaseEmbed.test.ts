import { describe, expect, it } from "@effect/vitest"
import { Option } from "effect"
import { embed } from "../../../src/webhook/code-host/CodeHostEmbed.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import { shown } from "../Shown.ts"
import { notification, REPOSITORY_URL } from "./Notifications.ts"

const posted = (event: string, parts: Parameters<typeof notification>[0]) =>
  shown(embed(Option.some(event), notification(parts)))

describe("a release", () => {
  const release = {
    name: Option.some("The big one"),
    tagName: Option.some("v2.0"),
    body: Option.some("Everything is new."),
    url: Option.some(`${REPOSITORY_URL}/releases/tag/v2.0`),
    prerelease: false
  }

  it("posts with its notes when it is published", () => {
    expect(posted("release", { action: "published", release: Option.some(release) })).toMatchObject({
      title: "[octo-org/octo-repo] New release published: The big one",
      url: `${REPOSITORY_URL}/releases/tag/v2.0`,
      color: COLOUR.published,
      description: "Everything is new."
    })
  })

  it("is called by its tag if it has no name", () => {
    expect(
      posted("release", { action: "published", release: Option.some({ ...release, name: Option.some("") }) })?.title
    )
      .toBe("[octo-org/octo-repo] New release published: v2.0")
  })

  it("has another title when it is a pre-release", () => {
    expect(posted("release", { action: "published", release: Option.some({ ...release, prerelease: true }) })?.title)
      .toBe("[octo-org/octo-repo] New pre-release published: The big one")
  })

  it.each(["created", "released", "edited", "deleted"])("makes no message when it is %s", (action) => {
    expect(posted("release", { action, release: Option.some(release) })).toBeUndefined()
  })
})
