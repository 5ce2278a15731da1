import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, inject, it } from "vitest"
import { LATE_OPTIMISATION } from "../../test/LateOptimisation.ts"
import { readManifest, ROOT } from "../src/Repository.ts"

/** The configuration of a user: strict, and without the condition of this repository. */
const TSCONFIG = {
  compilerOptions: {
    target: "ES2023",
    module: "NodeNext",
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"]
  }
}

const readmes = () =>
  inject("installed").map(({ folder, name }) => ({ name, page: readFileSync(join(folder, "README.md"), "utf8") }))

/** The code of a page. */
const programOf = (page: string): string =>
  [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code).join("\n")

it("the code of every package's README compiles against the installed packages", async () => {
  const directory = join(inject("installation"), "readmes")
  mkdirSync(directory)
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(TSCONFIG))
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  for (const { name, page } of readmes()) {
    // The blocks of a README are one program. Each has the imports that its reader needs.
    const lines = programOf(page).split("\n")
    const isImport = (line: string) => line.startsWith("import ")
    const program = [...new Set(lines.filter(isImport)), ...lines.filter((line) => !isImport(line))].join("\n")
    if (program !== "") writeFileSync(join(directory, `${basename(name)}.ts`), program)
  }
  expect(readdirSync(directory)).toContain("domain.ts")
  const typescript = join(ROOT, "release/node_modules/typescript/bin/tsc")
  const compiler = spawn(process.execPath, [...LATE_OPTIMISATION, typescript, "-p", directory], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [errors] = await Promise.all([text(compiler.stdout), once(compiler, "exit")])
  expect(errors).toBe("")
})

/** The packages in a page's install commands, by name, each with the version behind an @ or nothing. */
const installedBy = (page: string): ReadonlyMap<string, string | undefined> =>
  new Map(
    [...page.replaceAll("\\\n", " ").matchAll(/^npm install (.+)$/gm)]
      .flatMap(([, packages = ""]) => packages.split(/ +/))
      .map((named) => /^(@?[^@]+)(?:@(.+))?$/.exec(named) ?? [])
      .map(([, name = "", version]) => [name, version])
  )

/** The start of all versions in a range `^`: `3` of `^3.22.4`, and `0.30` of `^0.30.0`. */
const startOf = (range: string): string => /^\^(0\.\d+|\d+)/.exec(range)?.[1] ?? range

it("the install commands of a README name the versions of peers, because the newest ones may not fit", () => {
  const peers = inject("installed").flatMap(({ folder }) => Object.entries(readManifest(folder).peerDependencies))
  const ranges = new Map(peers)
  const named = readmes().flatMap(({ page }) => [...installedBy(page)]).filter(([name]) => ranges.has(name))
  expect(named.map(([name]) => name)).toEqual(expect.arrayContaining(["effect", "@effect/vitest", "vitest"]))
  expect(named.filter(([name, version]) => version !== startOf(ranges.get(name) ?? ""))).toEqual([])
})

it("the install commands of a README name every package that its code imports, as strict package managers require", () => {
  const missing = readmes().flatMap(({ name, page }) =>
    [...programOf(page).matchAll(/^import .* from "((?:@[^/]+\/)?[^/":]+)(?:\/[^"]*)?"$/gm)]
      .filter(([, imported = ""]) => !installedBy(page).has(imported))
      .map(([line]) => [name, line])
  )
  expect(missing).toEqual([])
})
