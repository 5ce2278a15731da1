import { Effect } from "effect"
import { type ChildProcess, spawn } from "node:child_process"
import { existsSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { LATE_OPTIMISATION } from "../../test/LateOptimisation.ts"

/** The folder of this package. */
export const CONFORMANCE = fileURLToPath(new URL("..", import.meta.url))

/** The result of a tool. */
export interface Ended {
  readonly code: number | null
  readonly output: string
}

/** The tools whose users name the package. */
const COMMANDS: Readonly<Record<string, string>> = {
  "@redocly/cli": "redocly",
  "openapi-typescript": "openapi-typescript",
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

/** What a command adds for a generator that accepts the newest TypeScript as its peer, but works only with 5. */
const TYPESCRIPT_5 = "typescript@5"

/** This module makes a tool find the TypeScript of this package, which is 5. That of the repository is 7. */
const withOwnTypeScript = javascript(
  `import { register } from "node:module"; register(${JSON.stringify(javascript(resolveHook))})`
)

const launch = (tool: string, args: ReadonlyArray<string>, cwd: string, added: ReadonlyArray<string>): ChildProcess =>
  spawn(process.execPath, [...LATE_OPTIMISATION, pathOf(tool), ...args], {
    cwd,
    env: {
      ...process.env,
      NO_COLOR: "1",
      // Processes that a tool starts inherit this, so that they use the same TypeScript.
      ...(added.includes(TYPESCRIPT_5) && { NODE_OPTIONS: `--import ${withOwnTypeScript}` })
    }
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

/** Runs a tool to its end, beside the packages that npx adds, and returns its output. */
export const run = (
  tool: string,
  args: ReadonlyArray<string>,
  cwd = CONFORMANCE,
  added: ReadonlyArray<string> = []
): Effect.Effect<Ended> =>
  Effect.async((resume) => {
    const child = launch(tool, args, cwd, added)
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
      const child = launch(tool, args, cwd, [])
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
