import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Repository from "./Repository.ts"
import { stage } from "./Staging.ts"

/** Empties the folder, and makes the tarballs of all published packages in it. Returns their paths. */
export const pack = (target: string): ReadonlyArray<string> => {
  rmSync(target, { recursive: true, force: true })
  mkdirSync(target, { recursive: true })
  const staged = mkdtempSync(join(tmpdir(), "staged-"))
  try {
    const folders = Repository.published(Repository.ROOT).map((published) => {
      const folder = join(staged, published.directory)
      stage(published, folder)
      return folder
    })
    const npm = spawnSync("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", target, ...folders], {
      encoding: "utf8",
      shell: process.platform === "win32"
    })
    if (npm.status !== 0) throw new Error(`npm pack failed: ${npm.stderr}`)
  } finally {
    rmSync(staged, { recursive: true })
  }
  return readdirSync(target).sort().map((name) => join(target, name))
}
