import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import * as Manifest from "./Manifest.ts"
import { type Package, readManifest, ROOT } from "./Repository.ts"

/** The files that npm packs besides `files`. */
const ALWAYS = ["README.md", "CHANGELOG.md"]

/** The compiler's output for a source. */
const COMPILED = [".js", ".js.map", ".d.ts", ".d.ts.map"]

/** The modules in a folder: its sources, without `.ts`. */
const modules = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => file.replaceAll("\\", "/").slice(0, -".ts".length))

/** The compiled files of a source. */
const compiled = (source: string): ReadonlyArray<string> =>
  modules(join(source, "src")).flatMap((module) => COMPILED.map((extension) => `${module}${extension}`))

/** Throws if one of the files is missing in the package. */
const assertBuilt = (source: string, files: ReadonlyArray<string>) => {
  const missing = files.find((file) => !existsSync(join(source, file)))
  if (missing !== undefined) throw new Error(`${join(source, missing)} is missing: run npm run build first.`)
}

/** Copies the compiled files of present sources: the folder also has those of deleted sources. */
const copyCompiled = (source: string, target: string) => {
  const files = compiled(source).map((name) => join("dist", name))
  assertBuilt(source, files)
  for (const folder of new Set(files.map(dirname))) mkdirSync(join(target, folder), { recursive: true })
  // Copies thousands of files in a quarter of the time that `cpSync` takes.
  for (const file of files) copyFileSync(join(source, file), join(target, file))
}

/** Copies the files of the package's tarball to the folder. */
export const stage = ({ directory, manifest }: Package, target: string) => {
  const source = join(ROOT, directory)
  mkdirSync(target, { recursive: true })
  copyCompiled(source, target)
  const files = manifest.files.filter((file) => file !== "dist" && !file.startsWith("!"))
  assertBuilt(source, files)
  const isIncluded = (file: string): boolean => !manifest.files.includes(`!${relative(source, file)}`)
  for (const name of [...files, ...ALWAYS]) {
    if (existsSync(join(source, name))) {
      cpSync(join(source, name), join(target, name), { recursive: true, filter: isIncluded })
    }
  }
  cpSync(join(ROOT, "LICENSE"), join(target, "LICENSE"))
  writeFileSync(
    join(target, "package.json"),
    `${JSON.stringify(Manifest.published(manifest, readManifest(ROOT), directory), null, 2)}\n`
  )
}
