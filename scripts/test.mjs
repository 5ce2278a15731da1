// npm test: all tests, and the static checks at the same time, because all tests wait now and then.

import { run } from "./run.mjs"

const CHECKS = [["oxlint", "-c", "oxlint.config.mjs"], ["dprint", "check"], ["knip"]]

const checks = Promise.all(CHECKS.map((check) => run(check, { quiet: true })))
const succeeds = await run(["vitest", "run", "--config", "vitest.together.config.ts", ...process.argv.slice(2)])
const passed = await checks
for (const [index, [name]] of CHECKS.entries()) console.log(`${name}: ${passed[index] ? "passes" : "fails, see above"}`)
process.exitCode = succeeds && passed.every(Boolean) ? 0 : 1
