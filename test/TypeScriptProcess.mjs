// Runs a TypeScript module in another process, which Node 20 cannot do alone: fork(this file, [module, ...arguments]).
import { register } from "node:module"
import { pathToFileURL } from "node:url"

const hooks = `
  import { transform } from "${import.meta.resolve("esbuild")}"
  import { readFile } from "node:fs/promises"

  export const load = async (url, context, next) => {
    if (!/^file:.+\\.ts$/.test(url)) return next(url, context)
    const options = { loader: "ts", sourcefile: url, sourcemap: "inline" }
    const { code } = await transform(await readFile(new URL(url), "utf8"), options)
    return { format: "module", shortCircuit: true, source: code }
  }`

const [module = ""] = process.argv.splice(2, 1)
process.setSourceMapsEnabled(true)
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
await import(pathToFileURL(module).href)
