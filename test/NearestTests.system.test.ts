// The tests that `npm run check` runs for a change.

import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "./Documents.ts"

/** The tests of a change of those files, nearest first. */
const nearest = (...changed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = `
    import { nearestTests } from "./scripts/nearest-tests.mjs"
    for (const file of nearestTests(${JSON.stringify(changed)})) console.log(file)`
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: REPOSITORY,
    encoding: "utf8"
  })
  expect(stderr).toBe("")
  return stdout.split("\n").filter((line) => line !== "")
}

describe("the tests nearest to a change", () => {
  it("are those of its name, then those of its folder, in every package", () => {
    const tests = nearest("packages/http-adapter/src/server/rate-limits/RateLimits.ts")
    expect(tests.slice(0, 2)).toEqual([
      "apps/server/test/http/server/rate-limits/RateLimits.test.ts",
      "packages/http-adapter/test/server/rate-limits/RateLimits.test.ts"
    ])
    expect(tests.slice(2)).toContain("packages/http-adapter/test/server/rate-limits/ClientAddress.test.ts")
    expect(tests.slice(2)).toContain("apps/server/test/rate-limits/RateLimitCountersRedis.system.test.ts")
  })

  it("are a changed test itself, and for a page the test of links and commands", () => {
    expect(nearest("test/Lint.system.test.ts")).toEqual(["test/Lint.system.test.ts"])
    expect(nearest("docs/operating.md")).toEqual(["test/Documents.test.ts"])
  })

  it("are none for a file that is neither source nor page", () => {
    expect(nearest("LICENSE", "docs/images/demo.png")).toEqual([])
  })
})
