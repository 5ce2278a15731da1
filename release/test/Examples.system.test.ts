import { Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { cpSync, readdirSync, readFileSync } from "node:fs"
import { basename, delimiter, join } from "node:path"
import { text } from "node:stream/consumers"
import { describe, expect, inject, it } from "vitest"
import { readManifest, ROOT } from "../src/Repository.ts"
import { importedPackages } from "./ImportedPackages.ts"

const EXAMPLES = join(ROOT, "examples")

const Scripts = Schema.Struct({ test: Schema.String })

/** Runs the script `test` of the package as npm does, in a shell. Returns its output if it fails. */
const failureOfTests = async (directory: string): Promise<string> => {
  const { test } = Schema.decodeUnknownSync(Scripts)(readManifest(directory)["scripts"])
  const programs = join(inject("installation"), "node_modules/.bin")
  const script = spawn(test, {
    cwd: directory,
    env: { ...process.env, PATH: `${programs}${delimiter}${process.env["PATH"]}` },
    shell: true,
    stdio: ["ignore", "pipe", "pipe"]
  })
  const [stdout, stderr] = await Promise.all([text(script.stdout), text(script.stderr), once(script, "exit")])
  return script.exitCode === 0 ? "" : `${script.exitCode ?? script.signalCode}: ${stdout}${stderr}`
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
    expect(await failureOfTests(directory)).toBe("")
  })
})
