// Prepares a clone: installs the packages of the lockfile if they are not installed, compiles, and bundles the program.
// usage: node scripts/setup.mjs [project …]     compiles all projects with sources by default

import { existsSync, readFileSync } from "node:fs"
import { runOrEnd } from "./install.mjs"

const root = new URL("..", import.meta.url)

if (!existsSync(new URL("apps/server/dist/main.js", root))) console.log("Compiling …")
const given = process.argv.slice(2)
const { references } = JSON.parse(readFileSync(new URL("tsconfig.json", root), "utf8"))
// The project of the tests is left out: nothing is compiled from it, and `npm test` checks it beside the tests.
const withSources = references.map(({ path }) => path).filter((path) => path !== "tsconfig.test.json")
const projects = given.length === 0 ? withSources : given
// One checker for each project: several check what they share once more each, and the projects are built side by side anyway.
runOrEnd(process.execPath, ["node_modules/typescript/bin/tsc", "-b", "--checkers", "1", ...projects])

/** The projects that have the program, or start it. */
const WITH_PROGRAM = new Set(["apps/server", "attack", "bench", "cluster"])
if (projects.some((project) => WITH_PROGRAM.has(project))) {
  runOrEnd(process.execPath, ["apps/server/scripts/bundle.mjs"])
}
