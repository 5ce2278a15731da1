import { Effect } from "effect"
import { existsSync } from "node:fs"
import { chromium } from "playwright-core"

/** The paths of the browser in the packages of distributions. */
const EXECUTABLE = ["/usr/bin/chromium", "/usr/bin/chromium-browser"].find((path) => existsSync(path))

/** Whether these tests are skipped without the browser: on a developer's machine, but not in continuous integration. */
export const isLeftOut = EXECUTABLE === undefined && process.env["CI"] !== "true"

/** Added to the titles of these tests when they are skipped. */
export const NEEDED = isLeftOut ? " (left out: install Chromium, with apt-get install chromium)" : ""

/** A browser, until the scope ends. */
export const launched = Effect.acquireRelease(
  Effect.promise(() => {
    if (EXECUTABLE === undefined) throw new Error("There is no Chromium: apt-get install chromium")
    // Its sandbox does not work for root.
    return chromium.launch({ executablePath: EXECUTABLE, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] })
  }),
  (browser) => Effect.promise(() => browser.close())
)
