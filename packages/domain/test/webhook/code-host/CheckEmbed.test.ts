import { describe, expect, it } from "@effect/vitest"
import { codePointLength } from "../../../src/shared-kernel/CodePointLength.ts"
import { COLOUR } from "../../../src/webhook/code-host/Colour.ts"
import type { CheckRun, CheckSuite } from "../../../src/webhook/code-host/Notification.ts"
import { checkRun, checkSuite, posted, REPOSITORY_URL } from "./Notifications.ts"

const COMMIT_FIELD = {
  name: "Commit",
  value: `[\`aaaaaaa\`](${REPOSITORY_URL}/commit/${"a".repeat(40)})`,
  inline: true
}

const run = (parts: Partial<CheckRun>) =>
  posted("check_run", { action: "completed", check_run: { ...checkRun, ...parts } })

const suite = (parts: Partial<CheckSuite>) =>
  posted("check_suite", { action: "completed", check_suite: { ...checkSuite, ...parts } })

const OUTCOMES = [
  ["success", "passed", COLOUR.good],
  ["failure", "failed", COLOUR.bad],
  ["startup_failure", "could not start", COLOUR.bad],
  ["timed_out", "timed out", COLOUR.bad],
  ["action_required", "needs action", COLOUR.attention],
  ["cancelled", "was cancelled", COLOUR.inactive],
  ["stale", "went stale", COLOUR.inactive],
  ["new_kind", "finished: new\\_kind", COLOUR.inactive]
] as const

describe("a check", () => {
  it.each(OUTCOMES)("posts when it is completed with %s", (conclusion, what, colour) => {
    expect(run({ conclusion })).toMatchObject({
      title: `[octo-org/octo-repo] lint ${what} on main`,
      url: `${REPOSITORY_URL}/runs/1`,
      color: colour,
      fields: [COMMIT_FIELD]
    })
  })

  it.each(["skipped", "neutral"])("makes no message when it is %s", (conclusion) => {
    expect(run({ conclusion })).toBeUndefined()
  })

  it("makes no message before it has a conclusion", () => {
    expect(run({ conclusion: null })).toBeUndefined()
  })

  it("shows its output", () => {
    expect(run({ output: { title: "2 *problems*", summary: "See `a.ts`." } })?.description)
      .toBe("**2 \\*problems\\***\n\nSee `a.ts`.")
  })

  it("shows the beginning of a long output", () => {
    const long = "a".repeat(5000)
    const [title = "", summary = ""] = (run({ output: { title: long, summary: long } })?.description ?? "").split(
      "\n\n"
    )
    expect(codePointLength(title)).toBe(260)
    expect(summary).toMatch(/^a{500}… \[and more\]/)
  })

  it("links to its details if it has no page", () => {
    expect(run({ html_url: null })?.url).toBe("https://ci.example/1")
  })

  it("links to its pull requests", () => {
    expect(run({ pull_requests: [{ number: 8 }, { number: 9 }] })?.fields).toEqual([
      COMMIT_FIELD,
      {
        name: "Pull requests",
        value: `[#8](${REPOSITORY_URL}/pull/8), [#9](${REPOSITORY_URL}/pull/9)`,
        inline: true
      }
    ])
  })

  it("links to the pull requests of its suite if it has none itself", () => {
    expect(run({ check_suite: { ...checkSuite, pull_requests: [{ number: 8 }] } })?.fields?.[1]?.value)
      .toBe(`[#8](${REPOSITORY_URL}/pull/8)`)
  })
})

describe("a check with few fields", () => {
  it("names its pull requests without links if the repository has no URL", () => {
    const sent = {
      action: "completed",
      check_run: { ...checkRun, pull_requests: [{ number: 8 }, { number: 9 }] },
      repository: null
    }
    expect(posted("check_run", sent)?.fields?.[1]?.value).toBe("\\#8, \\#9")
  })

  it("names ten pull requests at most, and counts the others", () => {
    const numbers = Array.from({ length: 12 }, (_, index) => ({ number: index + 1 }))
    const value = run({ pull_requests: numbers })?.fields?.[1]?.value
    expect([value?.match(/#/g)?.length, value?.endsWith(", 2 more")]).toEqual([10, true])
  })

  it("posts without a suite, and so without a branch and a commit", () => {
    const { fields, title } = run({ check_suite: null }) ?? {}
    expect([title, fields]).toEqual(["[octo-org/octo-repo] lint passed", undefined])
  })

  it("is called a check if it has no name", () => {
    expect(run({ name: " " })?.title).toBe("[octo-org/octo-repo] Check passed on main")
  })

  it("shows only its summary if its output has no title", () => {
    expect(run({ output: { summary: "See `a.ts`." } })?.description).toBe("See `a.ts`.")
  })
})

describe("a check suite", () => {
  it("posts as a check does, with the name of its application", () => {
    expect(suite({})).toMatchObject({
      title: "[octo-org/octo-repo] Check suite Octo CI passed on main",
      url: `${REPOSITORY_URL}/commit/${"a".repeat(40)}`,
      color: COLOUR.good,
      fields: [COMMIT_FIELD]
    })
    expect(suite({ conclusion: "skipped" })).toBeUndefined()
  })

  it("posts without its application, and leads to the repository if its commit is unknown", () => {
    expect(suite({ app: null, head_sha: null })).toMatchObject({
      title: "[octo-org/octo-repo] Check suite passed on main",
      url: REPOSITORY_URL
    })
  })
})
