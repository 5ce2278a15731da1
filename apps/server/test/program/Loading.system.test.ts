import * as NodeContext from "@effect/platform-node/NodeContext"
import * as FileSystem from "@effect/platform/FileSystem"
import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { spawnSync } from "node:child_process"
import { dirname, join } from "node:path"
import { build, MAIN } from "./Program.ts"

const SERVER = dirname(dirname(MAIN))
const PACKAGES = join(SERVER, "../../node_modules")

/** The files of the program, besides its packages, and the script that writes its code cache. */
const PARTS = ["bin", "bundle", "dist/main.js", "dist/Bundle.js", "package.json", "scripts/code-cache.mjs"]

const CODE_CACHE = "bundle/Program.cjs.cache"

/** A copy of the program in a folder, without its packages. */
const withoutPackages = Effect.gen(function*() {
  build()
  const files = yield* FileSystem.FileSystem
  const directory = yield* files.makeTempDirectoryScoped()
  for (const part of PARTS) {
    yield* files.makeDirectory(dirname(join(directory, part)), { recursive: true })
    yield* files.copy(join(SERVER, part), join(directory, part))
  }
  return { directory, files }
})

/** A copy of the program in a folder, with its packages. */
const copied = Effect.tap(
  withoutPackages,
  ({ directory, files }) => files.symlink(PACKAGES, join(directory, "node_modules"))
)

const node = (args: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) => {
  const { signal, status, stderr, stdout } = spawnSync(process.execPath, args, { env, encoding: "utf8" })
  return { status: status ?? signal, stdout, stderr }
}

/** Returns the output of a process that says whether the program is loaded with its code cache, and prints its version. */
const load = (directory: string, environment: Readonly<Record<string, string>> = {}) => {
  const module = JSON.stringify(join(directory, "dist/Bundle.js"))
  const script = `import(${module}).then(({ load }) => {
    const program = load()
    console.log(program.isFromCodeCache)
    program.run()
  })`
  return node(["-e", script, "community-messaging", "--version"], environment)
}

const writeCodeCache = (directory: string) => node([join(directory, "scripts/code-cache.mjs")])

const VERSION = { status: 0, stdout: "0.1.0\n", stderr: "" }

/** Returns the output of the program if Node has that version or platform. */
const runOn = (directory: string, property: "version" | "platform", value: string) => {
  const pretend = `Object.defineProperty(process, ${JSON.stringify(property)}, { value: ${JSON.stringify(value)} })`
  const before = ["--import", `data:text/javascript,${encodeURIComponent(pretend)}`]
  return node([...before, join(directory, "dist/main.js"), "--version"])
}

layer(NodeContext.layer)("the program", (it) => {
  it.scoped.each(
    [
      ["version", "v18.20.8", "Node 20.19+, 22.13+ or 24+ is required. This is v18.20.8."],
      [
        "platform",
        "win32",
        "Windows is not supported, because files could not be protected from other users. Use WSL 2 or a container."
      ]
    ] as const
  )("refuses the %s %s with a reason", ([property, value, reason]) =>
    Effect.gen(function*() {
      const { directory } = yield* copied
      expect(runOn(directory, property, value)).toEqual({
        status: 1,
        stdout: "",
        stderr: `community-messaging: ${reason}\n`
      })
    }))

  it.scoped("warns of an SQLite driver that was compiled with headers of Node 24 that make it end the process", () =>
    Effect.gen(function*() {
      const { directory, files } = yield* withoutPackages
      const driver = join(directory, "node_modules/better-sqlite3")
      for (const part of ["build/Release", "lib"]) {
        yield* files.makeDirectory(join(driver, part), { recursive: true })
      }
      yield* files.writeFileString(join(driver, "package.json"), "{ \"main\": \"lib/index.js\" }")
      yield* files.writeFileString(join(driver, "lib/index.js"), "")
      const warnings = (symbols: string, version: string) =>
        Effect.map(
          files.writeFileString(join(driver, "build/Release/better_sqlite3.node"), symbols),
          () => runOn(directory, "version", version).stderr.match(/Warning: the SQLite driver/g)?.length ?? 0
        )
      const faulty = "\0AddEnvironmentCleanupHook\0RemoveEnvironmentCleanupHook\0"
      expect(yield* warnings(faulty, "v24.21.0")).toBe(1)
      expect(yield* warnings(faulty, "v22.23.3")).toBe(0)
      expect(yield* warnings("\0AddEnvironmentCleanupHook\0", "v24.21.0")).toBe(0)
    }))
})

layer(NodeContext.layer)("the bundle", (it) => {
  it.scoped("has only ASCII characters, because it is read so, and runs in strict mode, as its modules do", () =>
    Effect.gen(function*() {
      build()
      const files = yield* FileSystem.FileSystem
      const names = (yield* files.readDirectory(join(SERVER, "bundle"))).filter((name) => name.endsWith(".cjs"))
      expect(names).toContain("Program.cjs")
      for (const name of names) {
        const source = yield* files.readFileString(join(SERVER, "bundle", name))
        expect(source.match(/\P{ASCII}/gu)).toBe(null)
        const [, beginning] = source.split("\n", 2)
        expect(beginning).toBe("(function (require, exports, __filename) {\"use strict\";")
      }
    }))

  it.scoped("is loaded with its code cache, but without it if V8 has other flags", () =>
    Effect.gen(function*() {
      const { directory } = yield* copied
      expect(load(directory)).toEqual({ ...VERSION, stdout: "true\n0.1.0\n" })
      const environment = { NODE_OPTIONS: "--max-old-space-size=300" }
      expect(load(directory, environment)).toEqual({ ...VERSION, stdout: "false\n0.1.0\n" })
    }))

  it.scoped("is loaded without a code cache of another program or version of Node, or one that is damaged or empty", () =>
    Effect.gen(function*() {
      const { directory, files } = yield* copied
      const file = join(directory, CODE_CACHE)
      const cache = Buffer.from(yield* files.readFile(file))
      const caches = [
        cache,
        Buffer.concat([Buffer.from("// x"), cache.subarray(4)]),
        Buffer.from(cache.toString("latin1").replace(process.version, "v20.0.0"), "latin1"),
        Buffer.from(cache).fill(1, cache.length - 1000),
        Buffer.alloc(0)
      ]
      yield* Effect.forEach(caches, (changed, index) => files.writeFile(join(directory, String(index)), changed))
      // In one process: it takes the caches one after another.
      const script = `
        const { copyFileSync } = require("node:fs")
        import(${JSON.stringify(join(directory, "dist/Bundle.js"))}).then(({ load }) => {
          for (const index of ${JSON.stringify(Object.keys(caches))}) {
            copyFileSync(${JSON.stringify(`${directory}/`)} + index, ${JSON.stringify(file)})
            console.log(load().isFromCodeCache)
          }
        })`
      expect(node(["-e", script])).toEqual({ status: 0, stdout: "true\nfalse\nfalse\nfalse\nfalse\n", stderr: "" })
    }))

  it.scoped.each([["throws an error", "throw new Error(\"broken\")", "broken"], ["ends", "", ""]])(
    "gets no code cache if the program %s before it listens",
    ([, body, reason]) =>
      Effect.gen(function*() {
        const { directory, files } = yield* copied
        yield* files.remove(join(directory, CODE_CACHE))
        yield* files.writeFileString(join(directory, "bundle/Program.cjs"), `// 0\n(function () { ${body} })`)
        const { stderr, ...rest } = writeCodeCache(directory)
        expect(rest).toEqual({ status: 1, stdout: "" })
        expect(stderr).toContain(reason)
        expect(yield* files.exists(join(directory, CODE_CACHE))).toBe(false)
      })
  )

  it.scoped("starts without a code cache if that cannot be written", () =>
    Effect.gen(function*() {
      const { directory, files } = yield* copied
      yield* files.remove(join(directory, CODE_CACHE))
      yield* files.makeDirectory(join(directory, CODE_CACHE))
      const before = yield* files.readDirectory(join(directory, "bundle"))
      const { stderr, ...rest } = writeCodeCache(directory)
      expect(rest).toEqual({ status: 0, stdout: "" })
      expect(stderr).toMatch(
        /^The program starts more slowly, because its code cache cannot be written: Error: EISDIR.+\n$/
      )
      expect(yield* files.readDirectory(join(directory, "bundle"))).toEqual(before)
      expect(load(directory)).toEqual({ ...VERSION, stdout: "false\n0.1.0\n" })
    }))

  it.scoped("is that of one build, even if the next build replaces its files before the program needs them", () =>
    Effect.gen(function*() {
      const { directory } = yield* copied
      const script = `
        const { rmSync } = require("node:fs")
        import(${JSON.stringify(join(directory, "dist/Bundle.js"))}).then(({ load }) => {
          const program = load()
          rmSync(${JSON.stringify(join(directory, "bundle"))}, { recursive: true })
          program.run()
        })`
      const environment = { STORAGE: "postgres", DATABASE_URL: "postgres://127.0.0.1:1/unused" }
      const { status, stderr } = node(["-e", script, "community-messaging", "token", "list"], environment)
      expect(status).toBe(1)
      expect(stderr).toContain("ECONNREFUSED")
    }))

  it.scoped("is reported in one line if it is missing", () =>
    Effect.gen(function*() {
      const { directory, files } = yield* copied
      yield* files.remove(join(directory, "bundle"), { recursive: true })
      const { stderr, ...rest } = node([join(directory, "dist/main.js"), "serve"])
      expect(rest).toEqual({ status: 1, stdout: "" })
      expect(stderr).toMatch(/^community-messaging: cannot be loaded, install it again\. .+Program\.cjs.+\n$/)
    }))

  it.scoped("is reported in one line if it misses a package that only some configurations need, or a file of the build", () =>
    Effect.gen(function*() {
      const { directory, files } = yield* withoutPackages
      yield* files.makeDirectory(join(directory, "node_modules"))
      yield* Effect.forEach(
        (yield* files.readDirectory(PACKAGES)).filter((name) => name !== "pg"),
        (name) => files.symlink(join(PACKAGES, name), join(directory, "node_modules", name))
      )
      const environment = { STORAGE: "postgres", DATABASE_URL: "postgres://127.0.0.1/unused" }
      const list = () => node([join(directory, "dist/main.js"), "token", "list"], environment)
      const expectReport = ({ stderr, ...rest }: ReturnType<typeof list>, missing: RegExp) => {
        expect(rest).toEqual({ status: 1, stdout: "" })
        expect(stderr).toMatch(/^community-messaging: cannot be loaded, install it again\. [^\n]+\n$/)
        expect(stderr).toMatch(missing)
      }
      expectReport(list(), /'pg'/)
      yield* files.writeFileString(join(directory, "bundle/PostgresStorage.cjs"), "// another build\n(function () {})")
      expectReport(list(), /PostgresStorage\.cjs/)
    }))
})
