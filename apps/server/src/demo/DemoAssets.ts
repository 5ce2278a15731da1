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

const MARKDOWN = "dist/browser/markdown-it.esm.min.mjs"

/** Reads the files of the page. */
export const load = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const directory = yield* path.fromFileUrl(FILES)
  const modules = yield* path.fromFileUrl(MODULES)
  const markdown = path.dirname(createRequire(FOLDER).resolve("markdown-it/package.json"))

  const asset = (file: string, name: string, contentType: string) =>
    Effect.map(files.readFileString(file), (content): Asset => ({ name, content, contentType }))
  const compiled = (yield* files.readDirectory(modules)).filter((name) => name.endsWith(".js"))

  return yield* Effect.all({
    index: asset(path.join(directory, "index.html"), "", "text/html; charset=utf-8"),
    files: Effect.all([
      asset(path.join(directory, "style.css"), "style.css", "text/css; charset=utf-8"),
      asset(path.join(directory, "icon.svg"), "icon.svg", "image/svg+xml"),
      asset(path.join(markdown, MARKDOWN), "markdown-it.js", SCRIPT),
      ...compiled.map((name) => asset(path.join(modules, name), name, SCRIPT))
    ])
  })
})
