// Runs after every install. Patches the compiler with Effect's diagnostics (a floating effect, a missing service, …). If
// no patched compiler fits this machine, everything still compiles, but without these diagnostics.

import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { recordInstalled } from "./installed.mjs"

const patch = spawnSync("effect-tsgo patch --typescript", { shell: true, encoding: "utf8" })
if (patch.status !== 0) console.warn("The compiler has no Effect diagnostics: effect-tsgo could not patch it.")

const hasDevelopmentTools = existsSync(new URL("../node_modules/typescript", import.meta.url))
if (hasDevelopmentTools) recordInstalled()
