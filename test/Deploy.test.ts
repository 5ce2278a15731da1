import { spawnSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { REPOSITORY } from "./Documents.ts"

const UNIT = "community-messaging.service"

/** The greatest exposure of the service that is accepted, in tenths, where 100 is no protection at all. */
const MAX_EXPOSURE = 20

const analyze = (...args: ReadonlyArray<string>) => {
  const { error, status, stderr, stdout } = spawnSync("systemd-analyze", args, { encoding: "utf8" })
  return { isMissing: error !== undefined, status, output: `${stdout}${stderr}` }
}

// systemd-analyze looks for the program and the user, so the copy names those of this machine.
describe.skipIf(analyze("--version").isMissing)("the unit for systemd", () => {
  const folder = mkdtempSync(join(tmpdir(), "unit-"))
  const file = join(folder, UNIT)
  const unit = readFileSync(join(REPOSITORY, "deploy", UNIT), "utf8")
  writeFileSync(file, unit.replace("/usr/bin/node", process.execPath).replace(/^User=.*$/m, "User=daemon"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("has nothing that systemd does not understand", () => {
    expect(analyze("verify", file)).toMatchObject({ status: 0, output: "" })
  })

  it("is protected against what a server does not need", () => {
    expect(analyze("security", "--offline=yes", `--threshold=${MAX_EXPOSURE}`, file)).toMatchObject({ status: 0 })
  })
})
