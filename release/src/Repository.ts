import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as Manifest from "./Manifest.ts"

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url))

export interface Package {
  /** The folder, relative to the repository's. */
  readonly directory: string
  readonly manifest: Manifest.Manifest
}

export const readManifest = (directory: string): Manifest.Manifest =>
  Manifest.parse(readFileSync(join(directory, "package.json"), "utf8"))

/** The packages that a release publishes: those of `packages` and `apps` that are not private. */
export const published = (root: string): ReadonlyArray<Package> =>
  ["packages", "apps"]
    .flatMap((parent) => readdirSync(join(root, parent)).map((name) => `${parent}/${name}`))
    .filter((directory) => existsSync(join(root, directory, "package.json")))
    .map((directory) => ({ directory, manifest: readManifest(join(root, directory)) }))
    .filter(({ manifest }) => !manifest.private)
