import { describe, expect, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"

describe("A program with a PostgreSQL server on this machine, such as the run of these tests,", () => {
  it("ends with the exit code that it has set", () => {
    const program = `await import("@community-messaging/local-postgres/LocalPostgres"); process.exitCode = 3`
    const { status, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", program])
    expect({ status, stderr: stderr.toString() }).toEqual({ status: 3, stderr: "" })
  })
})
