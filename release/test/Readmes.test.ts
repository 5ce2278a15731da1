import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, join } from "node:path"
import { text } from "node:stream/consumers"
import { expect, inject, it } from "vitest"
import { ROOT } from "../src/Repository.ts"

/** What an installation of a user has: strict, and without the condition of this repository. */
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

it("the code of every package's page compiles against the installed packages", async () => {
  const pages = inject("installed").map(({ folder, name }) => ({
    name: basename(name),
    blocks: [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/```ts\n(.*?)```/gs)].map(([, code = ""]) =>
      code
    )
  }))
  const directory = join(inject("installation"), "readmes")
  mkdirSync(directory)
  writeFileSync(join(directory, "tsconfig.json"), JSON.stringify(TSCONFIG))
  writeFileSync(join(directory, "package.json"), JSON.stringify({ type: "module" }))
  for (const { blocks, name } of pages) {
    for (const [index, code] of blocks.entries()) writeFileSync(join(directory, `${name}-${index}.ts`), code)
  }
  expect(pages.filter(({ blocks }) => blocks.length > 0).length).toBeGreaterThan(0)
  const compiler = spawn(process.execPath, [join(ROOT, "release/node_modules/typescript/bin/tsc"), "-p", directory], {
    stdio: ["ignore", "pipe", "inherit"]
  })
  const [errors] = await Promise.all([text(compiler.stdout), once(compiler, "exit")])
  expect(errors).toBe("")
})
