import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect, Option } from "effect"
import { statfs } from "node:fs/promises"
import * as DataDirectory from "../storage/DataDirectory.ts"
import { type Finding, ok, problem, warning } from "./Finding.ts"

const OTHERS = 0o077

/** How many files are named in a finding. */
const NAMED = 5

const nameSome = (names: ReadonlyArray<string>): string =>
  [...names.slice(0, NAMED), ...names.length > NAMED ? [`${names.length - NAMED} more`] : []].join(", ")

/** The problem of a folder that cannot be read. */
export const unreadable = (name: string, directory: string, error: unknown): Finding =>
  problem(name, `${directory} cannot be read: ${DataDirectory.reasonOf(error)}`, "run as the user of the server")

/**
 * Checks that the process can use the folder and its files, and that no other user can. Ignores files that disappear
 * meanwhile, as a server removes some at its end.
 */
export const rights = (directory: string) =>
  Effect.gen(function*() {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const entries = ["", ...(yield* files.readDirectory(directory, { recursive: true }))]
    const found = yield* Effect.forEach(entries, (name) =>
      Effect.option(
        Effect.map(
          Effect.all([
            files.stat(path.join(directory, name)),
            Effect.isSuccess(files.access(path.join(directory, name), { readable: true, writable: true }))
          ]),
          ([info, usable]) => ({ name: name === "" ? directory : name, usable, isOpen: (info.mode & OTHERS) !== 0 })
        )
      ))
    const seen = found.flatMap(Option.toArray)
    const unusable = seen.filter(({ usable }) => !usable).map(({ name }) => name)
    const open = seen.filter(({ isOpen }) => isOpen).map(({ name }) => name)
    if (unusable.length > 0) {
      const advice =
        `run as the owner of ${directory}, or give it to the user that runs the server (chown -R), who may write it (chmod -R u+rw)`
      return problem("rights", `this user cannot read and write ${nameSome(unusable)}`, advice)
    }
    return open.length > 0
      ? warning("rights", `other users may access ${nameSome(open)}`, `chmod -R go-rwx ${directory}`)
      : ok("rights", `only their owner can access the folder and its ${seen.length - 1} entries`)
  }).pipe(Effect.catchAll((error) => Effect.succeed(unreadable("rights", directory, error))))

const UNITS = ["bytes", "KiB", "MiB", "GiB", "TiB"]

/** Formats a number of bytes: `1.5 GiB`. */
const bytes = (count: number): string => {
  const power = count < 1024 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(count) / 10))
  const value = count / 1024 ** power
  return `${power === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[power] ?? ""}`
}

/** Below this, the next hours may fill the disk. */
const LITTLE = 1024 ** 3

/** Below this, commits may fail at any time. */
const NONE = 64 * 1024 ** 2

/** Checks that there is space for the database to grow, and for a copy of it: a new version may rewrite it. */
export const disk = (directory: string, databaseBytes: number): Effect.Effect<Finding> =>
  Effect.tryPromise(() => statfs(directory)).pipe(
    Effect.map(({ bavail, bsize }) => {
      const free = bavail * bsize
      const found = `${bytes(free)} free, the database has ${bytes(databaseBytes)}`
      if (free < NONE) return problem("disk", found, "make space: without it, every change fails")
      if (free < LITTLE) return warning("disk", found, "make space before the disk is full")
      return free < databaseBytes
        ? warning("disk", found, "an upgrade or a backup on this disk may need as much space as the database has")
        : ok("disk", found)
    }),
    Effect.orElseSucceed(() => warning("disk", "the free space is unknown", "look at it with df"))
  )
