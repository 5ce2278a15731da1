import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect } from "effect"
import { createRequire } from "node:module"
import { FOLDER } from "../PackageFolder.ts"

/** A file of the demo's page. */
interface Asset {
  readonly name: string
  readonly contentType: string
  readonly content: string
}

const SCRIPT = "text/javascript; charset=utf-8"

/** The page's files and compiled modules in the folder of this package. */
const FILES = new URL("browser/", FOLDER)
const MODULES = new URL("dist/browser/", FOLDER)

/** The client of the API, which the page uses. */
const CLIENT = "@community-messaging/client"

const MARKDOWN = "dist/browser/markdown-it.esm.min.mjs"

/** The reference of a module to its source map, which is not served. */
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*$/m

/** Replaces the names of modules of the client by their addresses, because browsers know no packages. */
const withAddresses = (module: string): string =>
  module.replaceAll(new RegExp(`"${CLIENT}/(\\w+)"`, "g"), `"./client/$1.js"`)

/** Reads the files of the page. */
export const load = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* path.fromFileUrl(FILES)
  const modules = yield* path.fromFileUrl(MODULES)
  const { resolve } = createRequire(FOLDER)
  const markdown = path.dirname(resolve("markdown-it/package.json"))
  // Under the condition "development", Node finds the sources.
  const client = path.resolve(resolve(`${CLIENT}/Client`), "../../dist")

  const asset = (file: string, name: string, contentType: string) =>
    Effect.map(files.readFileString(file), (content): Asset => ({ name, content, contentType }))
  const scripts = (folder: string, parent: string) =>
    Effect.flatMap(files.readDirectory(folder), (names) =>
      Effect.forEach(
        names.filter((name) => name.endsWith(".js")),
        (name) => asset(path.join(folder, name), `${parent}${name}`, SCRIPT)
      ))

  const own = yield* scripts(modules, "")
  return {
    index: yield* asset(path.join(directory, "index.html"), "", "text/html; charset=utf-8"),
    files: [
      yield* asset(path.join(directory, "style.css"), "style.css", "text/css; charset=utf-8"),
      yield* asset(path.join(directory, "icon.svg"), "icon.svg", "image/svg+xml"),
      yield* asset(path.join(markdown, MARKDOWN), "markdown-it.js", SCRIPT),
      ...own.map((script) => ({ ...script, content: withAddresses(script.content) })),
      ...(yield* scripts(client, "client/")).map((script) => ({
        ...script,
        content: script.content.replace(SOURCE_MAP, "")
      }))
    ]
  }
})
