// The tests of a change, nearest first, by the imports of all sources.

import { spawnSync } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, posix } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("..", import.meta.url))

const IMPORT = /^\s*(?:import|export|\} from)\b[^"\n]*"(?<path>[^"\n]+)"|\bimport\("(?<lazy>[^"\n]+)"\)/gm
const TEST = /^(?!examples\/).*\.test\.ts$/

/** All sources and tests, without those that Git ignores. */
const sources = () =>
  spawnSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.ts"], { cwd: root, encoding: "utf8" })
    .stdout.split("\n").filter((file) => file !== "" && existsSync(join(root, file)))

const workspaceOf = (name) =>
  ["packages/", "apps/", ""].map((parent) => `${parent}${name}`).find((folder) =>
    existsSync(join(root, folder, "package.json"))
  )

/** The file that an import names, or undefined for a third-party package. */
const resolved = (importer, path) => {
  if (path.startsWith(".")) return posix.join(posix.dirname(importer), path)
  const [, name, module] = /^@community-messaging\/([^/]+)\/(.+)$/.exec(path) ?? []
  const folder = name === undefined ? undefined : workspaceOf(name)
  return folder === undefined ? undefined : `${folder}/src/${module}.ts`
}

/** For each file, the files that import it. */
const importersOf = (files) => {
  const importers = new Map(files.map((file) => [file, []]))
  for (const file of files) {
    for (const { groups } of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const imported = resolved(file, groups.path ?? groups.lazy)
      if (imported !== undefined) importers.get(imported)?.push(file)
    }
  }
  return importers
}

/** How near a test is to a change: it has itself changed, or has the name of a changed file, or of its folder. */
const NEAREST = { changed: 0, namesake: 1, folder: 2 }

const nameOf = (file) => posix.basename(file).replace(/(?:\.test)?\.ts$/, "")

/** The folder within the sources or tests of a package; undefined for a file outside such folders. */
const folderOf = (file) => /\/(?:src|test)\/(?:.+\/)?([^/]+)\/[^/]+\.ts$/.exec(file)?.[1]

const projectOf = (file) => /^(?:(?:packages|apps)\/)?[^/]+\//.exec(file)?.[0]

/** The nearness of all files that a change affects: after the nearest, the files that import changed ones, and so on. */
const nearness = (changed, files) => {
  const importers = importersOf(files)
  const found = new Map(changed.map((file) => [file, NEAREST.changed]))
  const note = (file, distance) => found.set(file, Math.min(distance, found.get(file) ?? distance))
  const names = new Set(changed.filter((file) => file.endsWith(".ts")).map(nameOf))
  const folders = new Set(changed.map(folderOf).filter((folder) => folder !== undefined))
  for (const test of files.filter((file) => TEST.test(file))) {
    if (names.has(nameOf(test))) note(test, NEAREST.namesake)
    if (folders.has(folderOf(test))) note(test, NEAREST.folder)
  }
  const seen = new Set(changed)
  for (let edge = changed, distance = NEAREST.folder + 1; edge.length > 0; distance++) {
    edge = [...new Set(edge.flatMap((file) => importers.get(file) ?? []))].filter((file) => !seen.has(file))
    for (const file of edge) {
      seen.add(file)
      note(file, distance)
    }
  }
  return found
}

/**
 * The tests that a change of those files affects: the nearest first; of equally near ones, those of the same package first.
 * `isNear`: the test has changed, or is beside a changed file.
 */
export const relatedTests = (changed) => {
  const found = nearness(changed, sources())
  // It reads all pages.
  if (changed.some((file) => file.endsWith(".md"))) found.set("test/Documents.test.ts", NEAREST.changed)
  const projects = new Set(changed.map(projectOf))
  const elsewhere = (file) => Number(!projects.has(projectOf(file)))
  return [...found.keys()].filter((file) => TEST.test(file))
    .toSorted((one, other) =>
      found.get(one) - found.get(other) || elsewhere(one) - elsewhere(other) || one.localeCompare(other)
    )
    .map((file) => ({ file, isNear: found.get(file) <= NEAREST.folder }))
}
