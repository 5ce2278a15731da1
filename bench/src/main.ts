import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { parseArgs } from "node:util"
import { setFlagsFromString } from "node:v8"
import * as Durable from "./durable/Durable.ts"
import * as Http from "./http/Http.ts"
import * as Postgres from "./postgres/Postgres.ts"
import * as BarChart from "./report/BarChart.ts"
import * as Calibration from "./report/Calibration.ts"
import { inTurn } from "./report/InTurn.ts"
import * as Machine from "./report/Machine.ts"
import type { Part } from "./report/Measurement.ts"
import * as Report from "./report/Report.ts"
import * as Search from "./search/Search.ts"

const USAGE = `usage: npm run bench -- [--only PART,…] [--quick] [--out FOLDER]

  --only   some parts: http, search (with the index), durable, postgres (with several servers),
           postgres-search, forwarding; by default all
  --quick  fewer rounds and smaller data: figures are rough
  --out    where to write results.md and the charts; a whole run that is not quick writes to bench/results`

/** The run is stopped after this time. */
const LONGEST_MINUTES = 30

const PARTS: { readonly [name: string]: Part } = {
  http: Http.run,
  search: Search.run,
  durable: Durable.run,
  postgres: Postgres.run,
  "postgres-search": Postgres.runLargeGuild,
  forwarding: Postgres.runForwarding
}

const options = {
  only: { type: "string" },
  quick: { type: "boolean", default: false },
  out: { type: "string" },
  help: { type: "boolean", default: false }
} as const

const fail = (reason: string): never => {
  console.error(reason)
  process.exit(1)
}

const readArguments = () => {
  try {
    return parseArgs({ options, args: process.argv.slice(2) }).values
  } catch (error) {
    return fail(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`)
  }
}

// As the service does (`V8Flags`): some parts run its use cases in this process.
setFlagsFromString("--no-allocation-site-pretenuring")

const { help, only, out, quick } = readArguments()
if (help) {
  console.log(USAGE)
  process.exit()
}

const whole = only === undefined && !quick
const names = only?.split(",") ?? Object.keys(PARTS)
const parts = names.map((name): readonly [name: string, part: Part] => [
  name,
  PARTS[name] ?? fail(`There is no part ${name}.\n\n${USAGE}`)
])

setTimeout(() => fail(`The run takes longer than ${LONGEST_MINUTES} minutes: stopped.`), LONGEST_MINUTES * 60_000)
  .unref()
process.once("SIGINT", () => process.exit(130))
process.once("SIGTERM", () => process.exit(143))

const began = performance.now()
const machine = Machine.describe()
const loadBefore = Machine.load()
const calibration = Calibration.make()

const results = await inTurn(parts, ([name, part]) => {
  calibration.sample()
  return part({ quick, calibrate: calibration.sample, log: (line) => console.error(`${name}: ${line}`) })
})
calibration.sample()

const run: Report.Run = {
  machine,
  noise: [
    ...calibration.describe(),
    ["load average", `${loadBefore} before, ${Machine.load()} at the end`],
    ["duration", `${Math.round((performance.now() - began) / 1000)} s`]
  ],
  parts: results,
  quick
}

console.log(Report.terminal(run))

const folder = out ?? (whole ? fileURLToPath(new URL("../results", import.meta.url)) : undefined)
if (folder !== undefined) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, "results.md"), Report.markdown(run))
  for (const chart of results.flatMap(({ charts }) => charts)) {
    writeFileSync(join(folder, `${chart.name}.svg`), BarChart.svg(chart))
  }
  console.error(`written to ${folder}`)
}
