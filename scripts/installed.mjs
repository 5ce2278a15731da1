// Records for which lockfile and which Node version (ABI) node_modules was installed.

import { createHash } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"

const stampFile = new URL("../node_modules/.installed", import.meta.url)

const wanted = () => {
  const lockfile = readFileSync(new URL("../package-lock.json", import.meta.url))
  return [createHash("sha256").update(lockfile).digest("hex"), process.platform, process.arch, process.versions.modules]
    .join(" ")
}

export const isInstalled = () => {
  try {
    return readFileSync(stampFile, "utf8") === wanted()
  } catch {
    return false
  }
}

export const recordInstalled = () => writeFileSync(stampFile, wanted())
