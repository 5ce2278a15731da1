import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vitest/config"
import type { Reporter, ResolvedConfig, TestModule } from "vitest/node"

/** The folder of the HTTP suite. */
export const HTTP_SUITE = fileURLToPath(new URL("../apps/server/test/http/", import.meta.url))

/** The environment variable with the folder in which the tests of the HTTP suite record their exchanges. */
export const EXCHANGES_FOLDER = "EXCHANGES_FOLDER"

/** The file of the exchanges: each is a line with JSON. */
export const exchangesFile = (folder: string): string => join(folder, "exchanges.ndjson")

/** The file that exists as soon as all exchanges are recorded. */
export const endFile = (folder: string): string => join(folder, "end")

const suite = (): ReadonlyArray<string> =>
  readdirSync(HTTP_SUITE, { encoding: "utf8", recursive: true })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(HTTP_SUITE, name))

/** The test that reads the exchanges. */
const READER = fileURLToPath(new URL("../conformance/test/Suite.system.test.ts", import.meta.url))

/** Makes a folder for a run that has the whole suite and its reader, and removes it at the end of the run. */
const recorder = (config: ResolvedConfig): Reporter => {
  const pending = new Set<string>()
  let folder: string | undefined
  const end = ({ moduleId }: TestModule) => {
    const isLast = pending.delete(moduleId) && pending.size === 0
    if (isLast && folder !== undefined) writeFileSync(endFile(folder), "")
  }
  return {
    onTestRunStart(specifications) {
      const started = new Set(specifications.map(({ moduleId }) => moduleId))
      const files = suite()
      const isPart = config.shard !== undefined || config.testNamePattern !== undefined
      if (isPart || ![...files, READER].every((file) => started.has(file))) return
      for (const file of files) pending.add(file)
      folder = mkdtempSync(join(tmpdir(), "exchanges-"))
      process.env[EXCHANGES_FOLDER] = folder
    },
    // A module that throws has no end.
    onTestModuleCollected(module) {
      if (module.state() === "failed") end(module)
    },
    onTestModuleEnd: end,
    onTestRunEnd() {
      if (folder === undefined) return
      rmSync(folder, { recursive: true })
      // For the next run in watch mode.
      delete process.env[EXCHANGES_FOLDER]
      folder = undefined
    }
  }
}

/** Records the exchanges of the HTTP suite, for the test that validates them by Prism. */
export const recordedHttpSuite: Plugin = {
  name: "recorded-http-suite",
  configureVitest: ({ vitest: { config } }) => {
    config.reporters.push(recorder(config))
  }
}
