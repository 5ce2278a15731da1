import {
  accessSync,
  chmodSync,
  constants,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  rmSync,
  statfsSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"

/** The folder of Linux for files in memory. */
const MEMORY = "/dev/shm"

/** In bytes: four times what a whole run has at the same time. */
const ENOUGH = 2 * 1024 ** 3

const hasRoom = (): boolean => {
  const { bavail, bsize } = statfsSync(MEMORY)
  return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH
}

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

/** If files are created in the meantime, the folder remains until the next run. */
const remove = (folder: string): void => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    return
  }
}

const isRunning = (id: number): boolean => {
  try {
    return id !== process.pid && process.kill(id, 0)
  } catch {
    return false
  }
}

const isOwn = (folder: string): boolean => lstatSync(folder, { throwIfNoEntry: false })?.uid === process.getuid?.()

/** Returns the beginning of the names of this user's folders. Containers may share the folders, but not the ids of processes. */
const prefix = (): string => `community-messaging-tests-${readlinkSync("/proc/self/ns/pid").replaceAll(/\D/g, "")}-`

/** Removes the folders of this user's runs that were killed. */
const removeAbandoned = (): void => {
  const beginning = prefix()
  for (const name of readdirSync(MEMORY).filter((each) => each.startsWith(beginning))) {
    const folder = join(MEMORY, name)
    if (!isRunning(Number.parseInt(name.slice(beginning.length), 10)) && isOwn(folder)) remove(folder)
  }
}

/** Makes a folder in memory, which is removed at the end of the process, or else by the next run. Undefined if there is no room. */
const makeFolder = (): string | undefined => {
  if (!hasRoom()) return undefined
  removeAbandoned()
  const folder = mkdtempSync(join(MEMORY, `${prefix()}${process.pid}-`))
  process.once("exit", () => remove(folder))
  if (!runsPrograms(folder)) {
    remove(folder)
    return undefined
  }
  // PostgreSQL runs as another user, which must be able to enter the folder.
  chmodSync(folder, 0o755)
  return folder
}

/**
 * Puts the temporary files of Vitest and its children in memory, if there is room: on a disk, tests wait for it at each
 * commit of SQLite. If `TMPDIR` is set, temporary files are there.
 */
export const useMemory = (): void => {
  // Other programs read the configuration of Vitest, too.
  if (process.env["VITEST"] === undefined || process.env["TMPDIR"] !== undefined) return
  try {
    const folder = makeFolder()
    if (folder !== undefined) process.env["TMPDIR"] = folder
  } catch {
    // Such as on other systems, or if the folder cannot be written: the files stay on the disk.
    return
  }
}
