// The tests that `npm run check` runs for a change.

import { spawnSync } from "node:child_process"
import { describe, expect, it } from "vitest"
import { REPOSITORY } from "./Documents.ts"

/** The tests of a change of those files, nearest first. */
const related = (...changed: ReadonlyArray<string>): ReadonlyArray<string> => {
  const program = `
    import { relatedTests } from "./scripts/related-tests.mjs"
    for (const { file, isNear } of relatedTests(${
    JSON.stringify(changed)
  })) console.log((isNear ? "near " : "far ") + file)`
  const { stderr, stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    cwd: REPOSITORY,
    encoding: "utf8"
  })
  expect(stderr).toBe("")
  return stdout.split("\n").filter((line) => line !== "")
}

describe("the tests of a change", () => {
  it("begin with those of its name and its folder, in every package", () => {
    expect(related("packages/http-adapter/src/server/rate-limits/RateLimits.ts").slice(0, 4)).toEqual([
      "near packages/http-adapter/test/server/rate-limits/RateLimits.test.ts",
      "near apps/server/test/http/server/rate-limits/RateLimits.test.ts",
      "near packages/http-adapter/test/server/rate-limits/ClientAddress.test.ts",
      "near apps/server/test/rate-limits/RateLimitCountersRedis.test.ts"
    ])
  })

  it("are those that import the file, also through other files and packages", () => {
    const tests = related("packages/domain/src/shared-kernel/Snowflake.ts")
    expect(tests[0]).toBe("near packages/domain/test/shared-kernel/Snowflake.test.ts")
    expect(tests).toContain("far packages/member-index/test/segment/UserIdHalves.test.ts")
    expect(tests).toContain("far apps/server/test/transfer/RoundTrip.test.ts")
    expect(tests.indexOf("far packages/domain/test/account/User.test.ts"))
      .toBeLessThan(tests.indexOf("far packages/storage-memory/test/StorageMemory.test.ts"))
  })

  it("are a changed test itself, and for a page the test of links and commands", () => {
    expect(related("test/Lint.test.ts")).toEqual(["near test/Lint.test.ts"])
    expect(related("docs/operating.md")).toEqual(["near test/Documents.test.ts"])
  })

  it("are none for a file that no test imports", () => {
    expect(related("LICENSE", "docs/images/demo.png")).toEqual([])
  })
})
