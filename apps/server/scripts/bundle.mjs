// Joins the compiled modules of the program, and those of Effect that they import, in a few files, and writes the code cache
// of the running version of Node beside them: Node then loads the program in a third of the time. Joins those of the demo's
// page, too. Writes only what is not up to date. usage: node apps/server/scripts/bundle.mjs

import { spawnSync } from "node:child_process"
import { existsSync, readdirSync, statSync, utimesSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const target = join(root, "apps/server/bundle")

/** The maximum time in which the program starts and stops, in milliseconds. */
const START_MILLIS = 120_000

/** Written last: its time is that of the last bundle. */
const LICENCES = join(target, "licences.txt")

/** When a file or a file of a folder was last changed, in milliseconds; 0 if there is none. */
const changedAt = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

const modules = ["apps", "packages"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name, "dist"))
)
const scripts = ["bundle.mjs", "bundled-files.mjs"].map((name) => fileURLToPath(new URL(name, import.meta.url)))
const sources = [...modules, join(root, "package-lock.json"), ...scripts]
const startedAt = new Date()
const isBundled = ["Program.cjs", "Main.js"].every((name) => existsSync(join(target, name)))
if (!isBundled || Math.max(...sources.map(changedAt)) >= changedAt(LICENCES)) {
  const { writeFiles } = await import("./bundled-files.mjs")
  await writeFiles(target)
  // A module that has changed meanwhile is newer.
  utimesSync(LICENCES, startedAt, startedAt)
}

const { load } = await import("../dist/Bundle.js")
if (!load().isFromCodeCache) {
  const script = fileURLToPath(new URL("code-cache.mjs", import.meta.url))
  const { error, signal, status, stderr, stdout } = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    timeout: START_MILLIS
  })
  if (status !== 0) throw new Error(`The program does not start: ${error ?? signal ?? status}\n${stdout}${stderr}`)
  process.stderr.write(stderr)
}
