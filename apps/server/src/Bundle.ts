import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { basename, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Script } from "node:vm"

/*
 * The bundle, as `scripts/bundle.mjs` writes it. This module imports none of the program's modules, so that `main.ts` can
 * report why the program cannot be loaded.
 */

/**
 * The main file of the program. Each file is a function with one CommonJS module, after a line that identifies its content.
 * Parts that only some configurations need have files of their own.
 */
export const FILE = fileURLToPath(new URL("../bundle/Program.cjs", import.meta.url))

/** The functions of the program that a start calls, as V8 has compiled them, after a line that identifies the program. */
export const CODE_CACHE = `${FILE}.cache`

/**
 * The first line of the code cache. V8 compares its own version and its flags. Of the source it compares only the length,
 * and damaged data would crash the process.
 */
const headOf = (source: string, data: Uint8Array): string => {
  const [program] = source.split("\n", 1)
  const digest = createHash("sha256").update(data).digest("hex")
  return `${program} ${process.version} ${process.platform} ${process.arch} ${digest}\n`
}

/** Returns the code cache, if there is one and it is of this program and this version of Node. */
const readCodeCache = (source: string): Buffer | undefined => {
  try {
    const file = readFileSync(CODE_CACHE)
    const data = file.subarray(file.indexOf("\n") + 1)
    return file.toString("latin1", 0, file.length - data.length) === headOf(source, data) ? data : undefined
  } catch {
    return undefined
  }
}

/** The bundle has only ASCII characters. Node reads them in a fifth of the time if it need not look for others. */
const read = (file: string): string => readFileSync(file, "latin1")

const evaluate = (script: Script, require: (id: string) => unknown, exports: object, file: string): void => {
  const module: unknown = script.runInThisContext()
  if (typeof module === "function") Reflect.apply(module, undefined, [require, exports, file])
}

/** Evaluates the main file. It and the other files require one another and packages. Each file is evaluated once. */
const start = (main: Script): void => {
  const requirePackage = createRequire(FILE)
  const exportsOfMain = {}
  const evaluated = new Map<string, unknown>([[`./${basename(FILE)}`, exportsOfMain]])
  const require = (id: string): unknown => {
    if (!id.startsWith("./")) return requirePackage(id)
    if (evaluated.has(id)) return evaluated.get(id)
    const file = join(dirname(FILE), id)
    const exports = {}
    evaluate(new Script(read(file), { filename: file }), require, exports, file)
    evaluated.set(id, exports)
    return exports
  }
  evaluate(main, require, exportsOfMain, FILE)
}

/** The program, ready to start. */
export interface Program {
  /** Starts the command of the arguments of the process. */
  readonly run: () => void
  /** Whether V8 has used the code cache. */
  readonly isFromCodeCache: boolean
  /** Returns the content of a code cache with the functions that were called until now. */
  readonly makeCodeCache: () => Buffer
}

/** Loads the program. Throws an error if a file is missing. Without a valid code cache, a start takes a third longer. */
export const load = (): Program => {
  const source = read(FILE)
  const cachedData = readCodeCache(source)
  const script = new Script(source, { filename: FILE, cachedData })
  return {
    run: () => start(script),
    isFromCodeCache: cachedData !== undefined && script.cachedDataRejected === false,
    makeCodeCache: () => {
      const data = script.createCachedData()
      return Buffer.concat([Buffer.from(headOf(source, data)), data])
    }
  }
}
