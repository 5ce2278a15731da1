// Joins the compiled modules of the program, and those of Effect that they import, in few files: Node then loads the
// program in half of the time. usage: node apps/server/scripts/bundle.mjs

import { build } from "esbuild"
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const server = join(root, "apps/server")
const target = join(server, "bundle")

/** Other packages stay as npm installs them: they have native parts, or tools that observe a process look for them. */
const { dependencies } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"))
const external = Object.keys(dependencies).filter((name) => !/^(?:effect$|@effect\/|@community-messaging\/)/.test(name))

/** Packages of these packages, which have native parts and are optional. */
const optional = ["msgpackr-extract"]

const { metafile, outputFiles } = await build({
  absWorkingDir: root,
  entryPoints: [join(server, "dist/Program.js")],
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

const files = new Map([
  ...outputFiles.map(({ path, text }) => [path, text]),
  [join(target, "licences.txt"), licences.join(`\n${"-".repeat(80)}\n\n`)]
])

const contentOf = (file) => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return undefined
  }
}

// A file that has this content already is not written, because a process may be about to load it.
for (const [file, content] of files) {
  mkdirSync(dirname(file), { recursive: true })
  if (contentOf(file) !== content) writeFileSync(file, content)
}
for (const name of readdirSync(target)) {
  if (!files.has(join(target, name))) rmSync(join(target, name))
}
