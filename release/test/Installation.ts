import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import type { TestProject } from "vitest/node"
import { pack } from "../src/Pack.ts"
import { readManifest, ROOT } from "../src/Repository.ts"

/** A package as others install it. */
export interface Installed {
  readonly name: string
  readonly tarball: string
  /** The folder in node_modules. */
  readonly folder: string
}

declare module "vitest" {
  export interface ProvidedContext {
    /** A folder whose node_modules has the packed packages, and links to all packages of third parties. */
    readonly installation: string
    readonly installed: ReadonlyArray<Installed>
  }
}

const SCOPE = "@community-messaging"

const unpack = (tarball: string, modules: string): Installed => {
  const unpacked = join(modules, SCOPE, basename(tarball))
  mkdirSync(unpacked, { recursive: true })
  const tar = spawnSync("tar", ["-xzf", tarball, "-C", unpacked, "--strip-components=1"], { encoding: "utf8" })
  if (tar.status !== 0) throw new Error(`tar failed: ${tar.stderr}`)
  const { name } = readManifest(unpacked)
  const folder = join(modules, name)
  renameSync(unpacked, folder)
  return { name, tarball, folder }
}

const TESTS = import.meta.dirname

/**
 * Packs and installs all packages once for all tests of this folder, without the network. Does nothing if the run has none of
 * them.
 *
 * @public Vitest calls it.
 */
export const setup = async (project: TestProject) => {
  const { testFiles } = await project.globTestFiles()
  if (!testFiles.some((file) => dirname(file) === TESTS)) return () => {}
  const installation = mkdtempSync(join(tmpdir(), "installation-"))
  const modules = join(installation, "node_modules")
  mkdirSync(modules)
  for (const name of readdirSync(join(ROOT, "node_modules"))) {
    if (name !== SCOPE) symlinkSync(join(ROOT, "node_modules", name), join(modules, name), "junction")
  }
  project.provide("installation", installation)
  project.provide("installed", pack(join(installation, "packed")).map((tarball) => unpack(tarball, modules)))
  return () => rmSync(installation, { recursive: true })
}
