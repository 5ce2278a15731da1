import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { fileURLToPath } from "node:url"
import { Script } from "node:vm"

/*
 * The bundle, as `scripts/bundle.mjs` writes it. This module imports none of the program's modules, so that `main.ts` can
 * report why the program cannot be loaded.
 */

/** A function with the program as one CommonJS module. The first line identifies the content. */
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
  // The bundle has only ASCII characters. Node reads them in a fifth of the time if it need not look for others.
  const source = readFileSync(FILE, "latin1")
  const cachedData = readCodeCache(source)
  const script = new Script(source, { filename: FILE, cachedData })
  return {
    run: () => {
      const program: unknown = script.runInThisContext()
      if (typeof program === "function") Reflect.apply(program, undefined, [createRequire(FILE), {}, FILE])
    },
    isFromCodeCache: cachedData !== undefined && script.cachedDataRejected === false,
    makeCodeCache: () => {
      const data = script.createCachedData()
      return Buffer.concat([Buffer.from(headOf(source, data)), data])
    }
  }
}
