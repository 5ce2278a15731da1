import { Schema } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { closeSync, existsSync, openSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { publint } from "publint"
import { formatMessage } from "publint/utils"
import { describe, expect, inject, it } from "vitest"
import { readManifest, ROOT } from "../src/Repository.ts"
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
 * How these packages cannot be found, and are not meant to be: by `require` (CommonJS), and by the resolution of TypeScript
 * before there was "exports" (`moduleResolution: node10`).
 */
const OUT_OF_SCOPE = new Set<string | undefined>(["node16-cjs", "node10"])

const Analysis = Schema.parseJson(Schema.Struct({
  analysis: Schema.Struct({
    entrypoints: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
    problems: Schema.Array(
      Schema.Struct({ kind: Schema.String, resolutionKind: Schema.optional(Schema.String) }, {
        key: Schema.String,
        value: Schema.Unknown
      })
    )
  })
}))

/** What @arethetypeswrong/cli finds. It ends before all of it is through a pipe, so it prints to a file. */
const attw = async ({ tarball }: Installed, entrypoints: ReadonlyArray<string>) => {
  const report = `${tarball}.json`
  const program = join(ROOT, "node_modules/@arethetypeswrong/cli/dist/index.js")
  const file = openSync(report, "w")
  const options = ["--format", "json", "--entrypoints", ...entrypoints]
  const running = spawn(process.execPath, [program, tarball, ...options], { stdio: ["ignore", file, "inherit"] })
  await once(running, "exit")
  closeSync(file)
  return Schema.decodeSync(Analysis)(readFileSync(report, "utf8")).analysis
}

describe.concurrent.each(inject("installed"))("$name", (installed) => {
  const { folder, name } = installed
  const files = filesOf(folder)
  const manifest = readManifest(folder)

  it("has no tests, no state of the compiler, and no file besides what it declares", () => {
    const declared = /^(?:package\.json|README\.md|LICENSE|CHANGELOG\.md|(?:assets|bin|browser|dist|src)\/.+)$/
    expect(files.filter((file) => !declared.test(file) || /\.test\.|tsbuildinfo/.test(file))).toEqual([])
  })

  it("has the compiled module of every source, also of those for a browser", () => {
    const modules = files.flatMap((file) => {
      const [, kind, module] = /^(src|browser)\/(.+)(?<!\.d)\.ts$/.exec(file) ?? []
      return module === undefined ? [] : [kind === "src" ? `dist/${module}.js` : `dist/browser/${module}.js`]
    })
    expect(modules.filter((module) => !files.includes(module))).toEqual([])
  })

  it("has the licence and a page that says what it is", () => {
    expect(files).toContain("LICENSE")
    expect(readFileSync(join(folder, "README.md"), "utf8")).toMatch(new RegExp(`npm install (--\\S+ )?${name}\\b`))
  })

  it("does not lead development servers to its sources", () => {
    expect(JSON.stringify(manifest.exports)).not.toContain("development")
  })

  it("declares every package that it imports", () => {
    const compiled = files.filter((file) => /^dist\/.+(?:\.js|\.d\.ts)$/.test(file))
    const names = new Set(compiled.flatMap((file) => importedPackages(readFileSync(join(folder, file), "utf8"))))
    const { dependencies, peerDependencies } = manifest
    const declared = new Set([name, ...Object.keys(dependencies), ...Object.keys(peerDependencies)])
    expect([...names].filter((one) => !declared.has(one))).toEqual([])
  })

  it("shares effect with the program that uses it, unless it is the program", () => {
    const shared = Object.keys(manifest.dependencies).filter((one) => /^(?:effect$|@effect\/|vitest$)/.test(one))
    expect(manifest["bin"] === undefined ? shared : []).toEqual([])
  })

  it("passes on the peers that the packages of this repository ask it for", () => {
    const declared = new Set([...Object.keys(manifest.dependencies), ...Object.keys(manifest.peerDependencies)])
    const asked = inject("installed")
      .filter((other) => other.name in manifest.dependencies)
      .flatMap((other) => Object.keys(readManifest(other.folder).peerDependencies))
    expect(asked.filter((peer) => !declared.has(peer))).toEqual([])
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

  it("has types for every entry point, as importing modules see them", async () => {
    const { entrypoints, problems } = await attw(installed, entryPoints(installed))
    expect(Object.keys(entrypoints).length).toBe(entryPoints(installed).length)
    expect(problems.filter(({ resolutionKind }) => !OUT_OF_SCOPE.has(resolutionKind))).toEqual([])
  })
})
