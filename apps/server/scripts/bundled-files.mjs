// The files of the bundle: the program, the script of the demo's page, and the licences of the packages whose code they have.

import { createHash } from "node:crypto"
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { build } from "rolldown"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const server = join(root, "apps/server")

const { dependencies } = JSON.parse(readFileSync(join(server, "package.json"), "utf8"))

const isOwnOrEffect = (name) => /^(?:effect$|@effect\/|@community-messaging\/)/.test(name)

const common = {
  cwd: root,
  write: false,
  onLog: (level, { message }) => {
    throw new Error(`${level}: ${message}`)
  }
}

/** Returns the chunks of the program. */
const program = async () => {
  const { output } = await build({
    ...common,
    input: join(server, "dist/Program.js"),
    platform: "node",
    // Other packages stay as npm installs them: they have native parts, or tools that observe a process look for them. That
    // of native parts of one of these packages is optional.
    external: [...Object.keys(dependencies).filter((name) => !isOwnOrEffect(name)), "msgpackr-extract"],
    output: {
      format: "cjs",
      chunkFileNames: "[name].cjs",
      entryFileNames: "[name].cjs",
      charset: "ascii",
      // `licences.txt` has the licences.
      comments: false,
      dynamicImportInCjs: false,
      esModule: false,
      externalLiveBindings: false,
      // As modules are.
      strict: true
    }
  })
  return output
}

/** Returns the script of the demo's page. */
const page = async () => {
  const { output } = await build({
    ...common,
    input: join(server, "dist/browser/Main.js"),
    platform: "browser",
    transform: { target: "es2023" },
    output: { format: "esm", minify: true, comments: false }
  })
  return output
}

/** V8 stores a source with other characters in two bytes a character. rolldown leaves them in templates. */
const inAscii = (code) =>
  code.replace(/[\u0080-\uFFFF]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** Returns the files of the program, as `Bundle.ts` describes them. */
const asFunctions = (chunks) => {
  const functions = chunks.map(({ code }) => `(function (require, exports, __filename) {${inAscii(code)}})`)
  const digest = createHash("sha256").update(functions.join("\n")).digest("hex")
  return chunks.map(({ fileName }, index) => [fileName, `// ${digest}\n${functions[index]}`])
}

/** Returns the licences of the packages of these modules, which allow copies that have the text of the licence. */
const licencesOf = (modules) => {
  const packages = new Set(
    modules.flatMap((id) => /^(\/.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.slice(1) ?? [])
  )
  const licences = [...packages].sort((one, other) => one < other ? -1 : 1).map((folder) => {
    const { license, name, version } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file === undefined ? "" : `\n\n${readFileSync(join(folder, file), "utf8").trim()}`
    return `${name} ${version}, licence: ${license}${text}\n`
  })
  return licences.join(`\n${"-".repeat(80)}\n\n`)
}

/** Writes the files of the bundle to that folder, the licences last. */
export const writeFiles = async (folder) => {
  const [chunks, [script]] = await Promise.all([program(), page()])
  const modules = [...chunks, script].flatMap(({ moduleIds }) => moduleIds)
  const files = new Map([
    ...asFunctions(chunks),
    [script.fileName, script.code],
    ["licences.txt", licencesOf(modules)]
  ])
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) {
    if (name.endsWith(".cjs") && !files.has(name)) rmSync(join(folder, name))
  }
  // A process may load the present file meanwhile. So each file is replaced as a whole.
  for (const [name, content] of files) {
    const file = join(folder, `${name}.${process.pid}`)
    writeFileSync(file, content)
    renameSync(file, join(folder, name))
  }
}
