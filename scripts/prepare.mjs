// Runs after every install. Teaches the compiler Effect's diagnostics (a floating effect, a missing service, …). Where
// no patched compiler fits this machine everything still compiles, only without them.

import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { recordInstalled } from "./installed.mjs"

const patch = spawnSync("effect-tsgo patch --typescript", { shell: true, encoding: "utf8" })
if (patch.status !== 0) console.warn("The compiler goes without Effect's diagnostics: effect-tsgo could not patch it.")

const developmentToolsAreThere = existsSync(new URL("../node_modules/typescript", import.meta.url))
if (developmentToolsAreThere) recordInstalled()
