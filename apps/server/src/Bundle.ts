import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Script } from "node:vm"

/*
 * The bundle, as `scripts/bundle.mjs` writes it. This module imports none of the program's modules, so that `main.ts` can
 * report why the program cannot be loaded.
 */

const FOLDER = fileURLToPath(new URL("../bundle", import.meta.url))

/**
 * The main file of the program. Each file is a function with one CommonJS module, after a line that identifies the build.
 * Parts that only some configurations need have files of their own.
 */
const MAIN = "Program.cjs"

const FILE = join(FOLDER, MAIN)

/** The functions of the main file that a start calls, as V8 has compiled them, after a line that identifies the build. */
export const CODE_CACHE = `${FILE}.cache`

/** Returns the first line of a file. */
const buildOf = (source: string): string => source.slice(0, source.indexOf("\n"))

/**
 * The first line of the code cache. V8 compares its own version and its flags. Of the source it compares only the length,
 * and damaged data would crash the process.
 */
const headOf = (source: string, data: Uint8Array): string => {
  const digest = createHash("sha256").update(data).digest("hex")
  return `${buildOf(source)} ${process.version} ${process.platform} ${process.arch} ${digest}\n`
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

/**
 * Reads the other files, so that a process has all files of one build, even if the next build replaces them. Ignores those of
 * another build, which may be in progress.
 */
const readOthers = (main: string): ReadonlyMap<string, string> => {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".cjs") && name !== MAIN)
  const sources = names.map((name) => [name, read(join(FOLDER, name))] as const)
  return new Map(sources.filter(([, source]) => buildOf(source) === buildOf(main)))
}

/** Evaluates the main file. The files require one another and packages. Each one is evaluated when it is first required. */
const start = (main: Script, others: ReadonlyMap<string, string>): void => {
  const requirePackage = createRequire(FILE)
  const evaluated = new Map<string, unknown>()
  const evaluate = (script: Script, name: string): unknown => {
    const exports = {}
    const module: unknown = script.runInThisContext()
    if (typeof module === "function") Reflect.apply(module, undefined, [require, exports, join(FOLDER, name)])
    evaluated.set(name, exports)
    return exports
  }
  const require = (id: string): unknown => {
    if (!id.startsWith("./")) return requirePackage(id)
    const name = id.slice("./".length)
    if (evaluated.has(name)) return evaluated.get(name)
    const source = others.get(name)
    if (source === undefined) throw new Error(`${join(FOLDER, name)} is missing`)
    return evaluate(new Script(source, { filename: join(FOLDER, name) }), name)
  }
  evaluate(main, MAIN)
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
  const others = readOthers(source)
  const cachedData = readCodeCache(source)
  const script = new Script(source, { filename: FILE, cachedData })
  return {
    run: () => start(script, others),
    isFromCodeCache: cachedData !== undefined && script.cachedDataRejected === false,
    makeCodeCache: () => {
      const data = script.createCachedData()
      return Buffer.concat([Buffer.from(headOf(source, data)), data])
    }
  }
}
