import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, inject, it } from "vitest"
import { ROOT } from "../src/Repository.ts"

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

it("the code of every package's README compiles against the installed packages", async () => {
  const directory = join(inject("installation"), "readmes")
  mkdirSync(directory)
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(TSCONFIG))
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  for (const { folder, name } of inject("installed")) {
    // The blocks of a README are one program. Each has the imports that its reader needs.
    const page = readFileSync(join(folder, "README.md"), "utf8")
    const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) => code)
    const isImport = (line: string) => line.startsWith("import ")
    const lines = blocks.join("\n").split("\n")
    const program = [...new Set(lines.filter(isImport)), ...lines.filter((line) => !isImport(line))]
    if (blocks.length > 0) writeFileSync(join(directory, `${basename(name)}.ts`), program.join("\n"))
  }
  expect(readdirSync(directory)).toContain("domain.ts")
  const compiler = spawn(process.execPath, [join(ROOT, "release/node_modules/typescript/bin/tsc"), "-p", directory], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [errors] = await Promise.all([text(compiler.stdout), once(compiler, "exit")])
  expect(errors).toBe("")
})
