import { leastPercent, sources } from "./scripts/mutation-parts.mjs"

/** A change can make an endless loop. Long enough for a busy machine. */
const HUNG_AFTER_MILLIS = 30_000

/** How long all tests of a part may take without a change, on a busy machine. */
const UNCHANGED_MINUTES = 30

export default {
  packageManager: "npm",
  plugins: ["@stryker-mutator/vitest-runner", "./scripts/mutation-ignored.mjs"],
  testRunner: "vitest",
  vitest: { configFile: "vitest.mutation.config.mjs", related: false },
  mutate: sources,
  ignorers: ["seen-by-nobody"],
  coverageAnalysis: "perTest",
  // What runs once when a module is loaded (schemas, SQL texts) would need all tests in a new process for each change.
  ignoreStatic: true,
  // Stryker rewrites tsconfig files by an API that TypeScript 7 does not have. Vitest needs none.
  tsconfigFile: "none.json",
  timeoutMS: HUNG_AFTER_MILLIS,
  dryRunTimeoutMinutes: UNCHANGED_MINUTES,
  thresholds: { high: 100, low: leastPercent, break: leastPercent },
  tempDirName: ".mutation/sandbox",
  ignorePatterns: ["**/dist", "apps/server/bundle", ".mutation"],
  reporters: ["clear-text", "json", "html", "progress-append-only"],
  clearTextReporter: { logTests: false },
  jsonReporter: { fileName: ".mutation/report.json" },
  htmlReporter: { fileName: ".mutation/report.html" }
}
