import { describe, expect, it } from "vitest"
import { type Contender, contender } from "../../bench/src/durable/Contenders.ts"
import * as ForwardingReport from "../../bench/src/postgres/ForwardingReport.ts"
import * as LargeGuildReport from "../../bench/src/postgres/LargeGuildReport.ts"
import { metricOf } from "../../bench/src/postgres/Metrics.ts"
import * as PostgresReport from "../../bench/src/postgres/PostgresReport.ts"
import { QUERY_CLASSES } from "../../bench/src/search/QueryClasses.ts"
import type { MeasuredClass } from "../../bench/src/search/SearchRounds.ts"

const rates = (name: string, perSecond: Array<number>): Contender => ({ ...contender(name, () => {}), perSecond })

const posts = (ours: Array<number>) => {
  const contenders = [rates("raw", [100, 200]), rates("ours", ours), rates("SQLite", [50, 50])] as const
  return { many: contenders, single: contenders }
}

const classOf = (name: string, millis: number): ReadonlyArray<MeasuredClass> =>
  QUERY_CLASSES.slice(0, 1).map((queryClass) => ({
    drawn: { queryClass: { ...queryClass, name }, queries: [] },
    taken: ["PostgreSQL", "SQLite"].map((subject) => ({
      subject: {
        name: subject,
        ranksAsSpecified: true,
        search: () => ({ userIds: [], total: 0 }),
        close: () => Promise.resolve()
      },
      millis: [[subject === "SQLite" ? 1000 : millis]]
    })),
    wrong: []
  }))

const guild = (classes: ReadonlyArray<MeasuredClass>, first: number) =>
  LargeGuildReport.make({
    members: 1_000_000,
    firstAnswer: { postgres: first, sqlite: 1 },
    roundTrip: 0.5,
    classes,
    unread: new Map([["PostgreSQL", [1, 3, 2]], ["SQLite", [1, 1, 1]]])
  })

describe("the goal of notifications on PostgreSQL", () => {
  it("compares them with the raw loop within each round", () => {
    expect(PostgresReport.postsGoal(posts([80, 160]))).toMatchObject({ reached: true, measured: "0.80 (120 of 150)" })
    expect(PostgresReport.postsGoal(posts([79, 158]))).toMatchObject({ reached: false })
  })
})

describe("the goal of forwarded searches", () => {
  it("is for the time that forwarding adds to a local search", () => {
    const local = [[1, 2, 3], [11, 12, 13]]
    expect(ForwardingReport.goal({ local, forwarded: [[3, 4, 5], [13, 14, 15]] })).toMatchObject({
      reached: true,
      measured: "2.00 ms"
    })
    expect(ForwardingReport.goal({ local, forwarded: [[4, 5, 6], [14, 15, 16]] })).toMatchObject({
      reached: false
    })
  })
})

describe("the table of numbered events", () => {
  it("has the number of transactions, which is smaller", () => {
    expect(PostgresReport.numberingTable([{ batch: 1000, perSecond: [5000, 5000] }]).rows).toEqual([[
      "1,000",
      { value: 5000, unit: "per-second", spread: 0 },
      { value: 5, unit: "per-second", spread: 0 }
    ]])
  })
})

describe("the table of servers", () => {
  const servers = {
    operations: [],
    servers: [{ count: 1, perSecond: [100, 200] }, { count: 2, perSecond: [50, 100] }]
  }

  it("compares several servers with one within each round", () => {
    const [, two] = PostgresReport.serversTable(servers, 2).rows
    expect(two).toEqual([
      "2",
      { value: 75, unit: "per-second", spread: 50 / 75 },
      { value: 0.5, unit: "ratio", spread: 0 }
    ])
  })

  it("notes that two cores show no scaling", () => {
    expect(PostgresReport.serversTable(servers, 2).note).toContain("not what they add")
    expect(PostgresReport.serversTable(servers, 32).note).not.toContain("not what they add")
  })
})

describe("the goals of a large guild", () => {
  it("are those of SQLite and one round trip, for the worst class on PostgreSQL", () => {
    const { goals } = guild([...classOf("fast", 0.1), ...classOf("slow", 2)], 40_000)
    expect(goals.slice(0, 3)).toMatchObject([
      { reached: true, measured: "40.0 s" },
      { reached: true, goal: "≤ 2.00 ms: 1.5 and a round trip", measured: "2.00 ms (slow)" },
      { reached: true, goal: "≤ 5.50 ms: 5 and a round trip" }
    ])
    expect(guild(classOf("slow", 2.1), 40_001).goals.slice(0, 2)).toMatchObject([{ reached: false }, {
      reached: false
    }])
  })

  it("are not for pages that are read from the storage, which have a row of their own", () => {
    const { goals, tables } = guild(classOf("fast", 0.1), 1)
    expect(goals[1]).toMatchObject({ measured: "0.10 ms (fast)" })
    const values = [2, 3, 1, 1].map((value) => ({ value, unit: "ms" }))
    expect(tables[1]?.rows.at(-1)).toEqual(["none, page at a random place", ...values, { value: 2, unit: "ratio" }])
  })

  it("count a wrong result", () => {
    const wrong = classOf("wrong", 1).map((measured) => ({ ...measured, wrong: ["PostgreSQL: a query"] }))
    expect(guild(wrong, 1).goals.at(-1)).toMatchObject({ reached: false, measured: "1 wrong: PostgreSQL: a query" })
  })
})

describe("a metric of a server", () => {
  it("is read with or without labels, and not confused with another one", () => {
    const text = "# HELP shards Shards.\nshards_lost 7\nshards 3\nindexes{server=\"a\"} 1\n"
    expect(metricOf(text, "shards")).toBe(3)
    expect(metricOf(text, "indexes")).toBe(1)
    expect(metricOf(text, "shard")).toBeNaN()
  })
})
