import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Manifest from "./Manifest.ts"
import { type Package, readManifest, ROOT } from "./Repository.ts"

/** What npm packs besides `files`. */
const ALWAYS = ["README.md", "CHANGELOG.md"]

/** What the compiler makes of a source. */
const COMPILED = [".js", ".js.map", ".d.ts", ".d.ts.map"]

/** The modules in a folder: its sources, without `.ts`. */
const modules = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".d.ts"))
    .map((file) => file.replaceAll("\\", "/").slice(0, -".ts".length))

/** What is compiled of a package. Nobody imports the modules of a page in a browser, so these need no declarations. */
const compiled = (source: string): ReadonlyArray<string> => {
  const page = join(source, "browser")
  return [
    ...modules(join(source, "src")).flatMap((module) => COMPILED.map((extension) => `${module}${extension}`)),
    ...(existsSync(page) ? modules(page).map((module) => `browser/${module}.js`) : [])
  ]
}

/** Copies what was compiled of today's sources: the folder also has what was compiled of sources that are gone. */
const copyCompiled = (source: string, target: string) => {
  for (const name of compiled(source)) {
    const file = join("dist", name)
    if (!existsSync(join(source, file))) throw new Error(`${join(source, file)} is missing: run npm run build first.`)
    cpSync(join(source, file), join(target, file))
  }
}

/** Puts into the folder what the package's tarball is to have. */
export const stage = ({ directory, manifest }: Package, target: string) => {
  const source = join(ROOT, directory)
  mkdirSync(target, { recursive: true })
  copyCompiled(source, target)
  for (const name of [...manifest.files.filter((file) => file !== "dist"), ...ALWAYS]) {
    if (existsSync(join(source, name))) cpSync(join(source, name), join(target, name), { recursive: true })
  }
  cpSync(join(ROOT, "LICENSE"), join(target, "LICENSE"))
  writeFileSync(
    join(target, "package.json"),
    `${JSON.stringify(Manifest.published(manifest, readManifest(ROOT), directory), null, 2)}\n`
  )
}
