// Joins the compiled modules of the program, and those of Effect that they import, in few files: Node then loads the
// program in half of the time. Does nothing if no module has changed. usage: node apps/server/scripts/bundle.mjs

import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const server = join(root, "apps/server")
const target = join(server, "bundle")

const ENTRY = "Program.js"

/** Written last: its time is that of the last bundle. */
const LICENCES = "licences.txt"

/** When a file or a file of a folder was last changed, in milliseconds; 0 if there is none. */
const changedAt = (path) => {
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.mtimeMs
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))))
}

const bundle = async () => {
  const { build } = await import("esbuild")

  /** Other packages stay as npm installs them: they have native parts, or tools that observe a process look for them. */
  const { dependencies } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"))
  const external = Object.keys(dependencies).filter((name) =>
    !/^(?:effect$|@effect\/|@community-messaging\/)/.test(name)
  )

  /** Packages of these packages, which have native parts and are optional. */
  const optional = ["msgpackr-extract"]

  const { metafile, outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [join(server, "dist", ENTRY)],
    outdir: target,
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    external: [...external, ...optional],
    // Packages that are no ES modules load Node's by `require`.
    banner: { js: "import * as bundled from \"node:module\"; const require = bundled.createRequire(import.meta.url);" },
    logLevel: "warning",
    metafile: true,
    write: false
  })

  /** The packages whose code the files have, by their folders. */
  const packages = new Set(
    Object.values(metafile.outputs)
      .flatMap(({ inputs }) => Object.keys(inputs))
      .flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.slice(1) ?? [])
  )

  /** Their licences allow copies that have the text of the licence. */
  const licences = [...packages].sort().map((folder) => {
    const { license, name, version } = JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8"))
    const file = readdirSync(join(root, folder)).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? "" : `\n\n${readFileSync(join(root, folder, file), "utf8").trim()}`
    return `${name} ${version}, licence: ${license}${text}\n`
  })

  // A process may load the present files meanwhile. So each file is replaced as a whole, and the entry after its parts.
  const write = (name, content) => {
    const file = join(target, `${name}.${process.pid}`)
    writeFileSync(file, content)
    renameSync(file, join(target, name))
  }
  mkdirSync(target, { recursive: true })
  for (const { path, text } of outputFiles.toReversed()) write(basename(path), text)
  write(LICENCES, licences.join(`\n${"-".repeat(80)}\n\n`))

  const present = new Set([LICENCES, ...outputFiles.map(({ path }) => basename(path))])
  for (const name of readdirSync(target)) {
    // Another build may have removed it, and may be writing files with a number at the end.
    if (!present.has(name) && name.endsWith(".js")) rmSync(join(target, name), { force: true })
  }
}

const modules = ["apps", "packages"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name, "dist"))
)
const sources = [...modules, join(root, "package-lock.json"), fileURLToPath(import.meta.url)]
const startedAt = new Date()
const isBundled = [ENTRY, LICENCES].every((name) => existsSync(join(target, name)))
if (!isBundled || Math.max(...sources.map(changedAt)) >= changedAt(join(target, LICENCES))) {
  await bundle()
  // A module that has changed meanwhile is newer.
  utimesSync(join(target, LICENCES), startedAt, startedAt)
}
