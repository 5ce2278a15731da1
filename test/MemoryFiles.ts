import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { freemem } from "node:os"
import { join } from "node:path"

/** The folder of Linux for files in memory. */
const MEMORY = "/dev/shm"

/** In bytes: four times what a whole run has at the same time. */
const ENOUGH = 2 * 1024 ** 3

/** Whether programs in the folder can be run. A file system can forbid it. */
const runsPrograms = (folder: string): boolean => {
  const program = join(folder, "program")
  writeFileSync(program, "", { mode: 0o755 })
  try {
    accessSync(program, constants.X_OK)
    return true
  } catch {
    return false
  }
}

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, freemem()) >= ENOUGH
  } catch {
    return false
  }
}

/**
 * Puts the temporary files of this process and its children in memory, if there is room: on a disk, tests wait for it at each
 * commit of SQLite. The files are removed at the end of the process. If `TMPDIR` is set, temporary files are there.
 */
export const useMemory = (): void => {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return
  const folder = mkdtempSync(join(MEMORY, "tests-"))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  if (!runsPrograms(folder)) return
  // PostgreSQL runs as another user, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  process.env["TMPDIR"] = folder
}
