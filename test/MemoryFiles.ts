import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync
} from "node:fs"
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

const isRunning = (id: number): boolean => {
  try {
    return process.kill(id, 0)
  } catch {
    return false
  }
}

/** Removes the folders of this user's runs that were killed. */
const removeAbandoned = (): void => {
  for (const name of readdirSync(MEMORY)) {
    const [, id] = /^tests-(\d+)-/.exec(name) ?? []
    const folder = join(MEMORY, name)
    if (id === undefined || isRunning(Number(id)) || statSync(folder).uid !== process.getuid?.()) continue
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Puts the temporary files of this process and its children in memory, if there is room: on a disk, tests wait for it at each
 * commit of SQLite. The end of the process removes the files, or else the next run. If `TMPDIR` is set, temporary files are
 * there.
 */
export const useMemory = (): void => {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) return
  removeAbandoned()
  const folder = mkdtempSync(join(MEMORY, `tests-${process.pid}-`))
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }))
  if (!runsPrograms(folder)) return
  // PostgreSQL runs as another user, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  process.env["TMPDIR"] = folder
}
