import * as StorageSqlite from "@community-messaging/storage-sqlite/StorageSqlite"
import { join } from "node:path"
import type { Goal, Part, PartResult } from "../report/Measurement.ts"
import { median, ratios } from "../report/Statistics.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import { type Contender, contender, measure, row } from "./Contenders.ts"
import * as RawPosts from "./RawPosts.ts"
import * as ServicePosts from "./ServicePosts.ts"

const GOAL = 0.5

/** Callers that post at once, as on a busy server; a second measurement has one caller. */
const MANY = 64

const goal = (service: Contender, raw: Contender): Goal => {
  const reached = median(ratios(service.perSecond, raw.perSecond))
  return {
    what: `durable notifications per second, relative to a raw loop: ${service.name}`,
    goal: `≥ ${GOAL}`,
    measured: `${reached.toFixed(2)} (${median(service.perSecond).toFixed(0)} of ${median(raw.perSecond).toFixed(0)})`,
    reached: reached >= GOAL
  }
}

/** The result of the part; the raw loop is the first row. */
const report = (raw: Contender, ours: ReadonlyArray<Contender>, disk: Contender): PartResult => ({
  title: "Durable notifications",
  facts: [["SQLite", "WAL, synchronous = FULL"]],
  tables: [{
    title: "Notifications stored per second",
    note:
      "`Webhooks.post` on the storage in a file, against a loop of better-sqlite3 that inserts the same rows (delivery, " +
      "message, event) into the same tables, each notification in a transaction of its own. The last row commits one " +
      "changed number: the time of the disk. Rounds were interleaved.",
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

/** Measures how many notifications per second the service stores durably. */
export const run: Part = ({ calibrate, log, quick }) =>
  TemporaryDirectory.use(async (directory) => {
    const rawFile = join(directory, "raw.db")
    // The service creates the schema for the raw loop, and stores one notification, whose rows the loop copies.
    const maker = await ServicePosts.open(StorageSqlite.layer({ filename: rawFile }))
    await maker.post(1, 1)
    await maker.close()
    const raw = RawPosts.open(rawFile, maker.webhookId, RawPosts.rowsOf(rawFile))
    const service = await ServicePosts.open(StorageSqlite.layer({ filename: join(directory, "service.db") }))
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
