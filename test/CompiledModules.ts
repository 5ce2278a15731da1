import { existsSync } from "node:fs"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import type { Plugin } from "vitest/config"

const ROOT = fileURLToPath(new URL("..", import.meta.url))

/** A source of a package: the folder of the package, and the module. */
const SOURCE = /^((?:[^/]+\/){1,2})src\/(.+)\.ts$/

/** The modules that `npm run build` has made. Node itself loads them, because Vitest takes longer for that. */
export const COMPILED = /^(?!.*\/node_modules\/).*\/dist\/.+\.js$/

/** Instead of the source of a package, tests import the module that `npm run build` has made of it. */
export const compiledModules: Plugin = {
  name: "compiled-modules",
  enforce: "pre",
  async resolveId(name, importer, options) {
    const found = await this.resolve(name, importer, { ...options, skipSelf: true })
    const [, folder = "", module] = SOURCE.exec(relative(ROOT, found?.id ?? "").replaceAll("\\", "/")) ?? []
    if (module === undefined) return null
    const id = join(ROOT, folder, "dist", `${module}.js`)
    if (!existsSync(id)) throw new Error(`${id} is missing: run npm run build first.`)
    return id
  },
  // Vitest starts Node with these conditions. With `development`, packages would find one another's sources.
  configResolved: (config) => {
    config.ssr.resolve = { ...config.ssr.resolve, conditions: ["node"] }
  }
}
