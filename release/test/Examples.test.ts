import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, inject, it } from "vitest"
import { readManifest, ROOT } from "../src/Repository.ts"
import { importedPackages } from "./ImportedPackages.ts"

const EXAMPLES = join(ROOT, "examples")

/** Runs a script of the package like its reader. Returns its output if it fails. */
const failureOf = async (directory: string, script: string): Promise<string> => {
  const npm = spawn("npm", ["run", "--silent", script], { cwd: directory, shell: process.platform === "win32" })
  const [stdout, stderr] = await Promise.all([text(npm.stdout), text(npm.stderr), once(npm, "exit")])
  return npm.exitCode === 0 ? "" : `${stdout}${stderr}`
}

describe("examples declare the packages that they import", () => {
  it.each(readdirSync(EXAMPLES))("%s", (name) => {
    const directory = join(EXAMPLES, name)
    const { dependencies, devDependencies } = readManifest(directory)
    const sources = readdirSync(join(directory, "src")).map((file) =>
      readFileSync(join(directory, "src", file), "utf8")
    )
    const used = new Set(sources.flatMap(importedPackages))
    expect([...used].filter((one) => !(one in dependencies) && !(one in devDependencies))).toEqual([])
    expect(Object.keys(dependencies).filter((one) => !used.has(one))).toEqual([])
  })
})

describe.concurrent("examples, over the packages as others install them", () => {
  it.each(readdirSync(EXAMPLES))("%s passes its tests", async (name) => {
    const directory = join(inject("installation"), name)
    cpSync(join(EXAMPLES, name), directory, {
      recursive: true,
      filter: (path) => !["node_modules", "dist"].includes(basename(path))
    })
    expect(await failureOf(directory, "test")).toBe("")
  })
})
