import { join } from "node:path"
import { inTurn } from "../report/InTurn.ts"
import type { Cell, Goal, Part, PartResult } from "../report/Measurement.ts"
import { median, percentile, ratios, spread } from "../report/Statistics.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import * as RawPosts from "./RawPosts.ts"
import * as ServicePosts from "./ServicePosts.ts"

const GOAL = 0.5

/** How many callers post at once: a busy server, and the least. */
const MANY = 64

/** A way to keep notifications. */
interface Contender {
  readonly name: string
  readonly work: (howMany: number) => void | Promise<void>
  /** What was measured, round by round. */
  readonly perSecond: Array<number>
}

const contender = (name: string, work: Contender["work"]): Contender => ({ name, work, perSecond: [] })

/** How many a contender manages in about that time. */
const calibrated = async ({ work }: Contender, millis: number): Promise<number> => {
  const probe = 50
  await work(probe)
  const begin = performance.now()
  await work(probe)
  return Math.max(probe, Math.round(probe * millis / (performance.now() - begin)))
}

/** Lets all take turns, so that a disk that slows down does so for all. */
const measure = async (
  contenders: ReadonlyArray<Contender>,
  rounds: number,
  millis: number,
  between: (round: number) => void
): Promise<void> => {
  const sized = await inTurn(contenders, async (one) => ({ ...one, howMany: await calibrated(one, millis) }))
  await inTurn(Array.from({ length: rounds }), async (_, round) => {
    between(round + 1)
    await inTurn(sized, async ({ howMany, perSecond, work }) => {
      const begin = performance.now()
      await work(howMany)
      perSecond.push(howMany * 1000 / (performance.now() - begin))
    })
  })
}

const row = ({ name, perSecond }: Contender, raw: Contender): ReadonlyArray<Cell> => {
  const slowestFirst = perSecond.toSorted((self, that) => self - that)
  return [
    name,
    { value: median(perSecond), unit: "per-second", spread: spread(perSecond) },
    { value: 1_000_000 / median(perSecond), unit: "us" },
    { value: 1_000_000 / percentile(slowestFirst, 0.01), unit: "us" },
    { value: median(ratios(perSecond, raw.perSecond)), unit: "ratio" }
  ]
}

const goal = (service: Contender, raw: Contender): Goal => {
  const reached = median(ratios(service.perSecond, raw.perSecond))
  return {
    what: `durable notifications per second, of a raw loop: ${service.name}`,
    goal: `≥ ${GOAL}`,
    measured: `${reached.toFixed(2)} (${median(service.perSecond).toFixed(0)} of ${median(raw.perSecond).toFixed(0)})`,
    reached: reached >= GOAL
  }
}

/** What is told of the contenders, the raw loop first. */
const report = (raw: Contender, ours: ReadonlyArray<Contender>, disk: Contender): PartResult => ({
  title: "Durable notifications",
  facts: [["SQLite", "WAL, synchronous = FULL"]],
  tables: [{
    title: "Notifications kept per second",
    note:
      "`Webhooks.post` on the storage in a file, against a loop of better-sqlite3 that inserts the same rows (delivery, " +
      "message, event) into the same tables, each notification in a transaction of its own. The last row commits one " +
      "changed number: what the disk takes. Rounds were interleaved.",
    columns: ["", "per second", "each, median round", "each, slowest round", "of the raw loop"],
    rows: [raw, ...ours, disk].map((rates) => row(rates, raw))
  }],
  goals: ours.map((service) => goal(service, raw)),
  charts: [{
    name: "durable",
    title: "Durable notifications",
    axis: "per second, median of rounds",
    scale: "linear",
    labels: [raw, ...ours, disk].map(({ name }) => name),
    series: [{ name: "per second", values: [raw, ...ours, disk].map(({ perSecond }) => median(perSecond)) }]
  }]
})

/** How many notifications per second the service keeps durably. */
export const run: Part = ({ calibrate, log, quick }) =>
  TemporaryDirectory.use(async (directory) => {
    const rawFile = join(directory, "raw.db")
    // The service itself makes the schema of the file that the raw loop fills, and shows what a notification leaves there.
    const maker = await ServicePosts.open(rawFile)
    await maker.post(1, 1)
    await maker.close()
    const raw = RawPosts.open(rawFile, maker.webhookId, RawPosts.rowsOf(rawFile))
    const service = await ServicePosts.open(join(directory, "service.db"))
    try {
      const loop = contender("raw better-sqlite3 loop", raw.post)
      const ours = [MANY, 1].map((callers) =>
        contender(`Webhooks.post, ${callers} ${callers === 1 ? "caller" : "callers"}`, (howMany) =>
          service.post(howMany, callers))
      )
      const disk = contender("smallest durable commit", raw.commit)
      await measure([loop, ...ours, disk], quick ? 3 : 9, quick ? 150 : 600, (round) => {
        log(`round ${round}`)
        calibrate()
      })
      return report(loop, ours, disk)
    } finally {
      raw.close()
      await service.close()
    }
  })
