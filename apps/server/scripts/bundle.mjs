// Joins the compiled modules of the program, and those of Effect that they import, in one file, and writes the code cache
// of the running version of Node beside it: Node then loads the program in a third of the time. Joins those of the demo's
// page, too. Writes only what is not up to date. usage: node apps/server/scripts/bundle.mjs

import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const server = join(root, "apps/server")
const target = join(server, "bundle")

const BUNDLE = "Program.cjs"

/** The script of the demo's page. */
const PAGE = "Main.js"

/** The maximum time in which the program starts and stops, in milliseconds. */
const START_MILLIS = 120_000

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

  const common = {
    absWorkingDir: root,
    bundle: true,
    // `licences.txt` has the licences.
    legalComments: "none",
    logLevel: "warning",
    metafile: true,
    write: false
  }
  const program = await build({
    ...common,
    entryPoints: [join(server, "dist/Program.js")],
    outfile: join(target, BUNDLE),
    format: "cjs",
    platform: "node",
    target: "node20",
    external: [...external, ...optional],
    define: { "import.meta.url": "bundleUrl" },
    banner: { js: "const bundleUrl = require(\"node:url\").pathToFileURL(__filename).href;" },
    supported: { "dynamic-import": false }
  })
  const page = await build({
    ...common,
    entryPoints: [join(server, "dist/browser/Main.js")],
    outfile: join(target, PAGE),
    minify: true,
    format: "esm",
    target: "es2023"
  })

  /** The packages whose code the files have, by their folders. */
  const packages = new Set(
    [program, page].flatMap(({ metafile }) => Object.values(metafile.outputs))
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

  // A process may load the present file meanwhile. So each file is replaced as a whole.
  const write = (name, content) => {
    const file = join(target, `${name}.${process.pid}`)
    writeFileSync(file, content)
    renameSync(file, join(target, name))
  }
  mkdirSync(target, { recursive: true })
  // V8 stores a source with other characters in two bytes a character. esbuild leaves them in tagged templates.
  const ascii = program.outputFiles[0].text.replace(
    /[\u0080-\uFFFF]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`
  )
  const module = `(function (require, module, __filename) {${ascii}})`
  write(BUNDLE, `// ${createHash("sha256").update(module).digest("hex")}\n${module}`)
  write(PAGE, page.outputFiles[0].text)
  write(LICENCES, licences.join(`\n${"-".repeat(80)}\n\n`))
}

const modules = ["apps", "packages"].flatMap((parent) =>
  readdirSync(join(root, parent)).map((name) => join(root, parent, name, "dist"))
)
const sources = [...modules, join(root, "package-lock.json"), fileURLToPath(import.meta.url)]
const startedAt = new Date()
const isBundled = [BUNDLE, PAGE, LICENCES].every((name) => existsSync(join(target, name)))
if (!isBundled || Math.max(...sources.map(changedAt)) >= changedAt(join(target, LICENCES))) {
  await bundle()
  // A module that has changed meanwhile is newer.
  utimesSync(join(target, LICENCES), startedAt, startedAt)
}

const { load } = await import("../dist/Bundle.js")
if (!load().isFromCodeCache) {
  const script = fileURLToPath(new URL("code-cache.mjs", import.meta.url))
  const { error, signal, status, stderr, stdout } = spawnSync(process.execPath, [script], {
    encoding: "utf8",
    timeout: START_MILLIS
  })
  if (status !== 0) throw new Error(`The program does not start: ${error ?? signal ?? status}\n${stdout}${stderr}`)
  process.stderr.write(stderr)
}
