import { layer } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { expect } from "vitest"
import { TestServer, testServer } from "../../apps/server/test/http/TestServer.ts"
import { community } from "./Served.ts"
import * as Tool from "./Tool.ts"

/** Tools of other people start slowly on a busy machine. */
const PATIENCE = 300_000

const GENERATED = `${Tool.CONFORMANCE}generated`

const page = readFileSync(`${Tool.CONFORMANCE}../docs/clients.md`, "utf8")

/** The blocks of code of that language on the page, in their order. */
const blocksOf = (language: string): ReadonlyArray<string> =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")), ([, block]) => block ?? "")

const commands = blocksOf("sh").flatMap((block) => block.trim().split("\n"))
const programs = blocksOf("ts")

const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern)

/** What the programs that call all eight operations print. */
const ANSWERS = {
  consent: matching(/^https:\/\/app\.example\.com\/callback\?code=cmc_/),
  scheduled: 1,
  // The bot that searches, the user, and the bot that the consent added.
  total: 3,
  email: matching(/^user-\d+@example\.com$/),
  pendingDeletion: matching(/^\d{4}-/),
  codeHost: 204,
  errorTracker: 204,
  webhook: "Kiln lights",
  violations: ["NUMBER_OUT_OF_RANGE"]
}

/** Runs a command of the page where it finds the files of the page. */
const runCommand = (command: string) =>
  Effect.gen(function*() {
    const [npx, tool = "", ...args] = command.split(" ")
    expect(npx).toBe("npx")
    if (args[0] === "proxy") {
      // On any free port, until it listens.
      return yield* Effect.scoped(
        Effect.as(Tool.start(tool, [...args.slice(0, -1), "0"], /listening on (http:\/\/\S+)/, GENERATED), {
          code: 0,
          output: ""
        })
      )
    }
    return yield* Tool.run(tool, args, GENERATED)
  })

/** Follows the page, with the address of the server instead of the demo's: generates the clients and compiles all programs. */
const followed = Effect.gen(function*() {
  const { origin } = yield* TestServer
  const here = (text: string) => text.replaceAll("http://127.0.0.1:8080", origin)
  rmSync(GENERATED, { recursive: true, force: true })
  mkdirSync(GENERATED)
  blocksOf("js").forEach((block) => writeFileSync(`${GENERATED}/openapi-ts.config.mjs`, here(block)))
  programs.forEach((block, index) => writeFileSync(`${GENERATED}/program${index}.ts`, here(block)))
  const ended = yield* Effect.forEach(commands, (command) => runCommand(here(command)))
  return [...ended, yield* Tool.run("tsc", ["--project", "."])]
})

layer(testServer(), { excludeTestServices: true, timeout: PATIENCE })(
  "Clients made by the tools of other people",
  (it) => {
    it.effect("are made, type-check strictly, and call all eight operations", () =>
      Effect.gen(function*() {
        expect([commands.length, programs.length]).toEqual([5, 3])
        expect((yield* followed).filter(({ code }) => code !== 0)).toEqual([])
        for (const name of ["OpenApiFetch", "HeyApi"]) {
          const printed = yield* Tool.outputOf(`${GENERATED}/compiled/programs/${name}.js`, yield* community)
          const answers: unknown = JSON.parse(printed)
          expect(answers).toMatchObject(ANSWERS)
        }
        const world = yield* community
        const [found, scheduled, changed] = yield* Effect.forEach(
          programs,
          (_, index) => Tool.outputOf(`${GENERATED}/compiled/generated/program${index}.js`, world)
        )
        expect(found).toBe("")
        expect(scheduled).toBe("[ 'pending' ]\n")
        expect(changed).toContain("email: 'someone@example.com'")
      }), PATIENCE)
  }
)
