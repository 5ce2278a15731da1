import * as FileSystem from "@effect/platform/FileSystem"
import * as Path from "@effect/platform/Path"
import { Effect } from "effect"
import { FOLDER } from "../PackageFolder.ts"

/** Reads the files of the page in the folder of this package. */
export const load = Effect.gen(function*() {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const asset = (file: string, contentType: string) =>
    Effect.map(
      Effect.flatMap(path.fromFileUrl(new URL(file, FOLDER)), (found) => files.readFileString(found)),
      (content) => ({ name: path.basename(file), content, contentType })
    )
  return {
    index: yield* asset("browser/index.html", "text/html; charset=utf-8"),
    files: [
      yield* asset("browser/style.css", "text/css; charset=utf-8"),
      yield* asset("browser/icon.svg", "image/svg+xml"),
      yield* asset("bundle/Main.js", "text/javascript; charset=utf-8")
    ]
  }
})
