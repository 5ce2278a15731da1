// Reads a list of `{ tarball, entrypoints }` from its input and prints what "Are the types wrong?" finds in each, in the
// same order. It is a separate program, because under the condition `development` the tests would load the tool's own
// sources.

import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core"
import { readFileSync } from "node:fs"
import { json } from "node:stream/consumers"

const analyse = async ({ entrypoints, tarball }) => {
  const packed = createPackageFromTarballData(readFileSync(tarball))
  // The original scans all files at each call, and the resolution of every import calls it.
  const search = packed.directoryExists.bind(packed)
  const known = new Map()
  packed.directoryExists = (path) => {
    if (!known.has(path)) known.set(path, search(path))
    return known.get(path)
  }
  const analysis = await checkPackage(packed, { entrypoints })
  if (analysis.types === false) throw new Error(`${tarball} has no types.`)
  return {
    entrypoints: Object.keys(analysis.entrypoints),
    problems: analysis.problems
  }
}

process.stdout.write(JSON.stringify(await Promise.all((await json(process.stdin)).map(analyse))))
