import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The folder of this package. */
export const CONFORMANCE = fileURLToPath(new URL("..", import.meta.url))

/** The result of a tool. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** The tools, by the names of the packages that their users install. */
const COMMANDS: Readonly<Record<string, string>> = {
  "@redocly/cli": "redocly",
  "openapi-typescript": "openapi-typescript",
  "@hey-api/openapi-ts": "openapi-ts",
  "@stoplight/prism-cli": "prism",
  "tsc": "tsc"
}

const pathOf = (tool: string): string => {
  const command = COMMANDS[tool] ?? tool
  const own = `${CONFORMANCE}node_modules/.bin/${command}`
  return existsSync(own) ? own : `${CONFORMANCE}../node_modules/.bin/${command}`
}

const javascript = (source: string): string => `data:text/javascript,${encodeURIComponent(source)}`

const parentURL = new URL("../package.json", import.meta.url).href

const resolveHook = `export const resolve = (specifier, context, next) =>
  next(specifier, specifier === "typescript" ? { ...context, parentURL: ${JSON.stringify(parentURL)} } : context)`

/**
 * The repository uses TypeScript 7, which the generators of clients do not support yet. If npm hoists a generator beside
 * TypeScript 7, this module makes it find the TypeScript of this package.
 */
const withOwnTypeScript = javascript(
  `import { register } from "node:module"; register(${JSON.stringify(javascript(resolveHook))})`
)

const launch = (tool: string, args: ReadonlyArray<string>, cwd: string): ChildProcess =>
  spawn(process.execPath, [pathOf(tool), ...args], {
    cwd,
    // Processes that a tool starts inherit this, so that they use the same TypeScript.
    env: { ...process.env, NODE_OPTIONS: `--import ${withOwnTypeScript}`, NO_COLOR: "1" }
  })

const collect = (child: ChildProcess, onOutput: (output: string) => void): void => {
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (bytes: Buffer) => {
      output += bytes.toString()
      onOutput(output)
    })
  }
}

/** Runs a tool to its end, and returns its output. */
export const run = (tool: string, args: ReadonlyArray<string>, cwd = CONFORMANCE): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const child = launch(tool, args, cwd)
    let output = ""
    collect(child, (all) => output = all)
    child.on("close", (code) => resume(Effect.succeed({ code, output })))
    return Effect.sync(() => child.kill())
  })

/** Runs a program with this environment to its end, and returns its output. */
export const outputOf = (path: string, environment: Readonly<Record<string, string>>): Effect.Effect<string> =>
  Effect.async((resume) => {
    const child = spawn(process.execPath, [path], { env: environment })
    let printed = ""
    collect(child, (all) => printed = all)
    child.on("close", (code) => resume(code === 0 ? Effect.succeed(printed) : Effect.dieMessage(printed)))
    return Effect.sync(() => child.kill())
  })

/** Starts a tool that serves until the scope ends, and waits until its output matches. */
export const start = (tool: string, args: ReadonlyArray<string>, ready: RegExp, cwd = CONFORMANCE) =>
  Effect.acquireRelease(
    Effect.async<{ readonly child: ChildProcess; readonly found: string }>((resume) => {
      const child = launch(tool, args, cwd)
      let output = ""
      collect(child, (all) => {
        output = all
        const found = ready.exec(all)?.[1]
        if (found !== undefined) resume(Effect.succeed({ child, found }))
      })
      child.on("close", () => resume(Effect.dieMessage(`${tool} ended: ${output}`)))
    }),
    ({ child }) => Effect.sync(() => child.kill())
  ).pipe(Effect.map(({ found }) => found))
