// Several files name the required versions of Node. They are equal, and the programs check the version.

import { spawnSync } from "node:child_process"
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, describe, expect, it } from "vitest"

const root = fileURLToPath(new URL("..", import.meta.url))

const read = (path: string) => readFileSync(join(root, path), "utf8")

const rangeOf = (packageJson: string) => /"engines": \{\s*"node": "([^"]*)"/.exec(read(packageJson))?.[1]

const range = rangeOf("package.json") ?? ""

/** `Node 20.19+, 22.13+ or 24+`, from the range. */
const names = Array.from(
  range.matchAll(/(\d+)\.(\d+)\.\d+/g),
  ([, major, minor]) => minor === "0" ? `${major}+` : `${major}.${minor}+`
)
const inWords = `Node ${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const folders = [
  ...["packages", "apps"].flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`)),
  "attack",
  "bench",
  "conformance",
  "local-postgres",
  "release"
]

// The launcher, installed without compiled files.
const installed = mkdtempSync(join(tmpdir(), "launcher-"))
cpSync(join(root, "apps/server/bin"), join(installed, "bin"), { recursive: true })
cpSync(join(root, "apps/server/package.json"), join(installed, "package.json"))
afterAll(() => rmSync(installed, { recursive: true }))

/** The output of a program if Node has that version or platform. */
const said = (program: string, property: "version" | "platform", value: string) => {
  const pretend = `Object.defineProperty(process, ${JSON.stringify(property)}, { value: ${JSON.stringify(value)} })`
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`, program, "--version"],
    { encoding: "utf8" }
  )
  return { status, stderr }
}

const LAUNCHER = join(installed, "bin/community-messaging.js")

const SETUP = join(root, "scripts/setup.mjs")

describe("the versions of Node", () => {
  it.each(folders)("are the same in %s as in the repository", (folder) => {
    expect(rangeOf(`${folder}/package.json`)).toBe(range)
  })

  it.each(["README.md", "CONTRIBUTING.md"])("are documented in %s", (page) => {
    expect(read(page)).toContain(`You need ${inWords}, and nothing else.`)
  })

  it.each(["v18.20.8", "v20.18.3", "v21.7.3", "v22.12.0", "v23.11.1"])("do not include %s", (version) => {
    expect(said(LAUNCHER, "version", version)).toEqual({
      status: 1,
      stderr: `community-messaging: ${inWords} is required. This is ${version}.\n`
    })
  })

  it.each(["v20.19.0", "v20.20.2", "v22.13.0", "v24.0.0", "v26.1.0"])("include %s", (version) => {
    expect(said(LAUNCHER, "version", version).stderr).toContain("it is not compiled yet")
  })

  it("are checked before anything is installed or compiled", () => {
    expect(said(SETUP, "version", "v18.20.8")).toEqual({
      status: 1,
      stderr: `${inWords} is required. This is v18.20.8.\n`
    })
  })
})

describe("Windows", () => {
  it.each([["the launcher", LAUNCHER], ["the setup of a clone", SETUP]])(
    "is refused with a reason by %s",
    (_, program) => {
      const { status, stderr } = said(program, "platform", "win32")
      expect(status).toBe(1)
      expect(stderr).toContain("Windows is not supported")
      expect(stderr).toContain("Use WSL 2 or a container")
    }
  )
})
