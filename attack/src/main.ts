import { inTurn } from "@community-messaging/bench/report/InTurn"
import * as Machine from "@community-messaging/bench/report/Machine"
import * as SeededRandom from "@community-messaging/bench/report/SeededRandom"
import * as Tables from "@community-messaging/bench/report/Tables"
import { parseArgs } from "node:util"
import * as DataDirectory from "./community/DataDirectory.ts"
import type { Assignment, Part, PartResult } from "./Part.ts"
import { attackInTurn } from "./parts/Attacked.ts"
import * as Bodies from "./parts/Bodies.ts"
import * as Credentials from "./parts/Credentials.ts"
import * as Environment from "./parts/Environment.ts"
import * as Fuzz from "./parts/Fuzz.ts"
import * as Kills from "./parts/Kills.ts"
import * as Races from "./parts/Races.ts"
import * as Server from "./server/ServerProcess.ts"

interface Listed {
  readonly name: string
  readonly seconds: number
  /** Parts with their own servers run only in the long form. */
  readonly isInShort: boolean
  /** Runs concurrently with other such parts: it has its own servers, mostly waits, and measures no times. */
  readonly isBeside?: true
  readonly run: Part
}

const PARTS: ReadonlyArray<Listed> = [
  { name: "credentials", seconds: 5, isInShort: true, run: Credentials.run },
  { name: "fuzz", seconds: 25, isInShort: true, run: Fuzz.run },
  // The neutral caller gets some 500 responses during each attack: a single pause of the machine does not decide their p99.
  { name: "bodies", seconds: 100, isInShort: true, run: Bodies.run },
  {
    name: "clients",
    seconds: 40,
    isInShort: true,
    run: (assignment) => attackInTurn("Hostile clients", assignment, "clients")
  },
  { name: "races", seconds: 20, isInShort: false, isBeside: true, run: Races.run },
  { name: "kills", seconds: 140, isInShort: false, isBeside: true, run: Kills.run },
  { name: "environment", seconds: 30, isInShort: true, isBeside: true, run: Environment.run }
]

const USAGE = `usage: npm run test:attack -- [--only PART,…] [--seconds N] [--seed N] [--short]

  --only     some parts: ${PARTS.map(({ name }) => name).join(", ")}; all of them by default
  --seconds  how long each part attacks, approximately
  --seed     repeats a run that printed this seed
  --short    fewer parts on one server with small data; times are neither shown nor asserted`

const options = {
  only: { type: "string" },
  seconds: { type: "string" },
  seed: { type: "string" },
  short: { type: "boolean", default: false },
  help: { type: "boolean", default: false }
} as const

const fail = (reason: string): never => {
  console.error(reason)
  process.exit(2)
}

const readArguments = () => {
  try {
    return parseArgs({ options, args: process.argv.slice(2) }).values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

const numberOf = (name: string, text: string): number =>
  /^\d{1,15}$/.test(text) ? Number(text) : fail(`--${name} must be a whole number, not "${text}"`)

const { help, only, seconds, seed: given, short } = readArguments()
if (help) {
  console.log(USAGE)
  process.exit()
}
const names = only?.split(",") ?? PARTS.map(({ name }) => name)
const parts = names.map((name) =>
  PARTS.find((part) => part.name === name) ?? fail(`There is no part ${name}.\n\n${USAGE}`)
)
const seed = given === undefined ? Date.now() % 2 ** 31 : numberOf("seed", given)

process.once("SIGINT", () => process.exit(130))
process.once("SIGTERM", () => process.exit(143))

console.log(`seed ${seed}`)
console.error(Machine.describe().map(([name, value]) => `${name}: ${value}`).join("\n"))

const began = performance.now()

const serve: Assignment["serve"] = (work) =>
  DataDirectory.use(0, (directory) => Server.use({ directory, settings: { RATE_LIMITS: "off" } }, work))

const attack = (serveParts: Assignment["serve"]) => ({ name, run, seconds: usual }: Listed): Promise<PartResult> =>
  run({
    seconds: seconds === undefined ? usual : numberOf("seconds", seconds),
    seed,
    random: SeededRandom.make(seed),
    short,
    serve: serveParts,
    log: (line) => console.error(`${name}: ${line}`)
  })

const attackShortly = () =>
  serve((server) => inTurn(parts.filter(({ isInShort }) => isInShort), attack((work) => work(server))))

/** A part that measures times runs alone, so that no other part affects them. */
const attackAtLength = async () => [
  ...await inTurn(parts.filter(({ isBeside }) => isBeside !== true), attack(serve)),
  ...await Promise.all(parts.filter(({ isBeside }) => isBeside === true).map(attack(serve)))
]

const results = await (short ? attackShortly() : attackAtLength())

const bounds = results.flatMap((result) => result.bounds)
const broken = bounds.filter(({ reached }) => !reached)
const LONGEST_CELL = 60
if (!short) {
  for (const table of results.flatMap(({ tables }) => tables)) console.log(`\n${Tables.terminal(table)}`)
  const rows = bounds.map((bound) => ({ ...bound, measured: bound.measured.slice(0, LONGEST_CELL) }))
  console.log(`\n${Tables.terminal({ title: "Bounds", ...Tables.ofGoals(rows) })}\n`)
}
for (const { goal, measured, what } of broken) console.log(`broken: ${what} (wanted ${goal}): ${measured}`)
console.log(
  `\n${bounds.length} bounds, ${broken.length} broken, ${
    Math.round((performance.now() - began) / 1000)
  } s, seed ${seed}`
)
process.exit(broken.length === 0 ? 0 : 1)
