import { spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { onTestFinished } from "vitest"

const MODULES = fileURLToPath(new URL("../node_modules", import.meta.url))

/** The line of the program that has this error, counted from 1. */
export const lineOf = (error: string): number => Number(/\((\d+),/.exec(error)?.[1])

/** Compiles the program strictly, with these options besides. Returns the errors and the files that were read. */
export const compile = (program: string, options: object) => {
  const directory = mkdtempSync(join(tmpdir(), "compiled-program-"))
  onTestFinished(() => rmSync(directory, { recursive: true }))
  writeFileSync(join(directory, "program.mts"), program)
  writeFileSync(
    join(directory, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "ES2023",
        module: "NodeNext",
        strict: true,
        exactOptionalPropertyTypes: true,
        noUncheckedIndexedAccess: true,
        noEmit: true,
        allowImportingTsExtensions: true,
        listFiles: true,
        types: ["node"],
        typeRoots: [join(MODULES, "@types")],
        ...options
      },
      files: ["program.mts"]
    })
  )
  const { stdout } = spawnSync(process.execPath, [join(MODULES, "typescript/bin/tsc"), "-p", directory], {
    encoding: "utf8"
  })
  const lines = stdout.split("\n").filter((line) => line !== "")
  return {
    errors: lines.filter((line) => line.includes("error TS")),
    files: lines.filter((line) => line.startsWith("/"))
  }
}
