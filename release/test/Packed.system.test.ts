import { Schema } from "effect"
import { spawn } from "node:child_process"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { text } from "node:stream/consumers"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { describe, expect, inject, it } from "vitest"
import { LATE_OPTIMISATION } from "../../test/LateOptimisation.ts"
import { readManifest } from "../src/Repository.ts"
import { importedPackages } from "./ImportedPackages.ts"
import type { Installed } from "./Installation.ts"

const filesOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, encoding: "utf8", withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1).replaceAll("\\", "/"))

/** The entry points: the modules of the package, by the names by which others import them. */
const entryPoints = ({ folder }: Installed): ReadonlyArray<string> =>
  filesOf(folder).flatMap((file) => /^dist\/(.+)\.d\.ts$/.exec(file)?.slice(1) ?? [])

const SourceMap = Schema.parseJson(Schema.Struct({ sourceRoot: Schema.String, sources: Schema.Array(Schema.String) }))

/**
 * Resolutions that these packages do not support: `require` (CommonJS), and that of TypeScript before "exports"
 * (`moduleResolution: node10`).
 */
const OUT_OF_SCOPE = new Set<string | undefined>(["node16-cjs", "node10"])

const Analyses = Schema.parseJson(Schema.Array(Schema.Struct({
  entrypoints: Schema.Array(Schema.String),
  problems: Schema.Array(
    Schema.Struct({ kind: Schema.String, resolutionKind: Schema.optional(Schema.String) }, {
      key: Schema.String,
      value: Schema.Unknown
    })
  )
})))

/** The findings of "Are the types wrong?" in the packages. One process for all of them loads its compiler once. */
const analyse = async (packages: ReadonlyArray<Installed>) => {
  const program = join(import.meta.dirname, "AreTheTypesWrong.mjs")
  const running = spawn(process.execPath, [...LATE_OPTIMISATION, program], { stdio: ["pipe", "pipe", "inherit"] })
  running.stdin.end(
    JSON.stringify(packages.map((one) => ({ tarball: one.tarball, entrypoints: entryPoints(one) })))
  )
  return Schema.decodeSync(Analyses)(await text(running.stdout))
}

/** The packages that others import. They start the program instead. */
const imported = inject("installed").filter(({ folder }) => readManifest(folder)["bin"] === undefined)

const analyses = analyse(imported)

describe.concurrent.each(inject("installed"))("$name", (installed) => {
  const { folder, name } = installed
  const files = filesOf(folder)
  const manifest = readManifest(folder)

  it("has no tests, no state of the compiler, and no file that it does not declare", () => {
    const declared = /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|(?:assets|bin|browser|bundle|dist|src)\/.+)$/
    expect(files.filter((file) => !declared.test(file) || /\.test\.|tsbuildinfo|\.cache$/.test(file))).toEqual([])
  })

  it("has the compiled module of every source", () => {
    const modules = files.flatMap((file) => {
      const [, module] = /^src\/(.+)(?<!\.d)\.ts$/.exec(file) ?? []
      return module === undefined ? [] : [`dist/${module}.js`]
    })
    expect(modules.filter((module) => !files.includes(module))).toEqual([])
  })

  it("has the licence and a README with its installation", () => {
    expect(files).toContain("LICENSE")
    expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(new RegExp(`npm install (--\\S+ )?${name}\\b`))
  })

  it("does not lead development servers to its sources", () => {
    expect(JSON.stringify(manifest.exports)).not.toContain("development")
  })

  it("declares every package that it imports", () => {
    const compiled = files.filter((file) => /^(?:bundle|dist)\/.+(?:\.c?js|\.d\.ts)$/.test(file))
    const names = new Set(compiled.flatMap((file) => importedPackages(readFileSync(join(folder, file), "utf8"))))
    const { dependencies, peerDependencies } = manifest
    const declared = new Set([name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)])
    expect([...names].filter((one) => !declared.has(one))).toEqual([])
  })

  it("shares effect with the program that uses it, unless it is the program", () => {
    const shared = Object.keys(manifest.dependencies).filter((one) => /^(?:effect$|@effect\/|vitest$)/.test(one))
    expect(manifest["bin"] === undefined ? shared : []).toEqual([])
  })

  it("declares the peers of its packages of this repository as its own", () => {
    const declared = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)])
    const requested = inject("installed")
      .filter((other) => other.name in manifest.dependencies)
      .flatMap((other) => Object.keys(readManifest(other.folder).peerDependencies))
    expect(requested.filter((peer) => !declared.has(peer))).toEqual([])
  })

  it("has the source of every source map", () => {
    const missing = files.filter((file) => file.endsWith(".map")).filter((file) => {
      const { sourceRoot, sources } = Schema.decodeSync(SourceMap)(readFileSync(join(folder, file), "utf8"))
      return !sources.every((source) => existsSync(join(folder, dirname(file), sourceRoot, source)))
    })
    expect(missing).toEqual([])
  })

  it("passes publint", async () => {
    const { messages } = await publint({ pkgDir: folder, pack: false, strict: true })
    expect(messages.map((message) => formatMessage(message, manifest, { color: false }))).toEqual([])
  })

  it.runIf(imported.includes(installed))("has types for every entry point, as importing modules see them", async () => {
    const analysis = (await analyses)[imported.indexOf(installed)]
    expect(analysis?.entrypoints.length).toBe(entryPoints(installed).length)
    expect(analysis?.problems.filter(({ resolutionKind }) => !OUT_OF_SCOPE.has(resolutionKind))).toEqual([])
  })
})
