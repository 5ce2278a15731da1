import { describe, expect, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { MOVED_BYTES_AT_ONCE } from "../src/migrations/0017BoundedMoves.ts"
import { clientOf } from "./SharedTransactions.ts"
import { migrated } from "./TemporaryDatabase.ts"

/** Runs statements on a connection of another client. Returns the rows as arrays of values. */
const clientOn = (url: string) =>
  Effect.map(
    clientOf(url),
    (client) => (text: string) =>
      Effect.map(Effect.promise(() => client.query<Array<unknown>>({ text, rowMode: "array" })), ({ rows }) => rows)
  )

const MANY = 20_000

const insert = (table: string, guildId: number, count: number) =>
  table === "new_events"
    ? `INSERT INTO new_events (occurred_at, event) SELECT 0, 'event ' || id FROM generate_series(1, ${count}) AS id`
    : `INSERT INTO ${table} (guild_id, user_id) SELECT ${guildId}, id FROM generate_series(1, ${count}) AS id`

const Explained = Schema.Tuple(Schema.Tuple(Schema.Tuple(Schema.Struct({
  Plan: Schema.Struct({ "Shared Hit Blocks": Schema.Int, "Shared Read Blocks": Schema.Int })
}))))

/** The number of pages that a statement reads. */
const pagesOf = (run: Effect.Effect.Success<ReturnType<typeof clientOn>>, statement: string) =>
  run(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${statement}`).pipe(
    Effect.flatMap(Schema.decodeUnknown(Explained)),
    Effect.map(([[[{ Plan }]]]) => Plan["Shared Hit Blocks"] + Plan["Shared Read Blocks"])
  )

/** The number that a statement selects. */
const decodeNumber = (rows: unknown) =>
  Effect.map(
    Schema.decodeUnknown(Schema.Tuple(Schema.Tuple(Schema.NumberFromString)))(rows),
    ([[number]]) => number
  )

const LAST_CHANGE = "SELECT last_member_change('0', 7)"
const KEEP_LOGS = "SELECT * FROM keep_logs('0')"

describe("a running transaction with many entries", () => {
  it.scopedLive("is not read by searches and numbering", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [run, other] = [yield* clientOn(url), yield* clientOn(url)]
      const [[since]] = yield* Schema.decodeUnknown(Schema.Tuple(Schema.Tuple(Schema.String)))(
        yield* run("SELECT horizon FROM keep_logs('0')")
      )
      const pages = Effect.zipWith(
        pagesOf(run, `SELECT last_member_change('${since}', 7)`),
        pagesOf(run, `SELECT * FROM keep_logs('${since}')`),
        (searched, numbered) => searched + numbered
      )
      // The first calls of a session also read the catalogs.
      yield* pages
      const before = yield* pages
      yield* other(`BEGIN; ${insert("new_events", 0, MANY)}; ${insert("new_member_changes", 1, MANY)}`)
      expect(yield* pages).toBeLessThan(before + 50)
      // With a later transaction that has ended, the snapshot does not end before the running one.
      yield* run("SELECT pg_current_xact_id()")
      expect(yield* pages).toBeLessThan(before + 50)
    }))

  it.scopedLive("hides no entry that is committed before, beside or after it", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [run, ...others] = yield* Effect.all([clientOn(url), clientOn(url), clientOn(url)])
      yield* run(insert("new_member_changes", 7, 1))
      expect(yield* run(LAST_CHANGE)).toEqual([[String(Number.MAX_SAFE_INTEGER)]])
      yield* run(KEEP_LOGS)
      expect(yield* run(LAST_CHANGE)).toEqual([["1"]])
      for (const other of others) {
        yield* other(`BEGIN; ${insert("new_events", 0, 1)}; ${insert("new_member_changes", 7, 1)}`)
        expect(yield* run(LAST_CHANGE)).toEqual([["1"]])
        yield* run(insert("new_events", 0, 2))
      }
      yield* run(insert("new_member_changes", 7, 1))
      expect(yield* run(LAST_CHANGE)).toEqual([[String(Number.MAX_SAFE_INTEGER)]])
      expect(yield* run("SELECT last_event, last_change FROM keep_logs('0')")).toEqual([["4", "2"]])
      for (const other of others) yield* other("COMMIT")
      expect(yield* run("SELECT last_event, last_change FROM keep_logs('0')")).toEqual([["6", "4"]])
      expect(yield* run("SELECT count(*) FROM new_events")).toEqual([["0"]])
    }))
})

describe("entries of a database that was restored on another server", () => {
  // The numbers of the server that wrote them may be larger than all of the present one.
  const written = "UPDATE new_events SET xid = '4000000000'; UPDATE new_member_changes SET xid = '4000000001'"

  it.scopedLive("are numbered in their order, before later ones", () =>
    Effect.gen(function*() {
      const run = yield* clientOn(yield* migrated)
      yield* run(insert("new_events", 0, 2))
      yield* run(insert("new_member_changes", 7, 2))
      yield* run(written)
      yield* run("INSERT INTO new_events (occurred_at, event) VALUES (0, 'later')")
      expect(yield* run(LAST_CHANGE)).toEqual([[String(Number.MAX_SAFE_INTEGER)]])
      expect(yield* run("SELECT last_event, last_change FROM keep_logs('0')")).toEqual([["3", "2"]])
      expect(yield* run("SELECT event FROM events ORDER BY sequence")).toEqual([["event 1"], ["event 2"], ["later"]])
      expect(yield* run(LAST_CHANGE)).toEqual([["2"]])
    }))

  it.scopedLive("are found by searches while transactions run", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [run, other] = [yield* clientOn(url), yield* clientOn(url)]
      yield* run(insert("new_member_changes", 7, 1))
      yield* run(written)
      yield* other(`BEGIN; ${insert("new_events", 0, 1)}`)
      expect(yield* run(LAST_CHANGE)).toEqual([[String(Number.MAX_SAFE_INTEGER)]])
    }))
})

describe("a change of the own transaction", () => {
  it.scopedLive("is not committed, and so no change for a search", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [run, other] = [yield* clientOn(url), yield* clientOn(url)]
      yield* run(`BEGIN; ${insert("new_member_changes", 7, 1)}`)
      expect(yield* run(LAST_CHANGE)).toEqual([["0"]])
      yield* other(`BEGIN; ${insert("new_events", 0, 1)}`)
      expect(yield* run(LAST_CHANGE)).toEqual([["0"]])
    }))
})

describe("a commit of large events", () => {
  const BYTES = 1.5 * 2 ** 20
  const IN_PART = Math.floor(MOVED_BYTES_AT_ONCE / BYTES)
  /** Inserts that many events, each of a random text with its number behind it. */
  const insertLarge = (count: number, bytes: number) => `
    INSERT INTO new_events (occurred_at, event)
    SELECT 0, text || number FROM generate_series(1, ${count}) AS number, (
      SELECT string_agg(encode(decode(md5(random()::text || place), 'hex'), 'base64'), '') AS text
      FROM generate_series(1, ${bytes / 24}) AS place
    ) AS random_text`

  it.scopedLive("is numbered in parts of a bounded size", () =>
    Effect.gen(function*() {
      const run = yield* clientOn(yield* migrated)
      yield* run(insertLarge(IN_PART + 2, BYTES))
      const part = run("SELECT last_event, has_more FROM keep_logs('0')")
      expect(yield* part).toEqual([[String(IN_PART), true]])
      expect(yield* part).toEqual([[String(IN_PART + 2), false]])
      expect(yield* run("SELECT bool_and(event LIKE '%=' || sequence) FROM events")).toEqual([[true]])
    }))

  it.scopedLive("is numbered one event at a time if each is larger", () =>
    Effect.gen(function*() {
      const run = yield* clientOn(yield* migrated)
      yield* run(insertLarge(2, MOVED_BYTES_AT_ONCE + BYTES))
      const part = run("SELECT last_event, has_more FROM keep_logs('0')")
      expect(yield* part).toEqual([["1", true]])
      expect(yield* part).toEqual([["2", false]])
    }))
})

describe("removed changes", () => {
  it.scopedLive("are not read by searches while a snapshot keeps them from vacuum", () =>
    Effect.gen(function*() {
      const url = yield* migrated
      const [run, dump] = [yield* clientOn(url), yield* clientOn(url)]
      yield* run(insert("member_changes", 1, 130_000))
      yield* run(LAST_CHANGE)
      const before = yield* pagesOf(run, LAST_CHANGE)
      yield* dump("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT 1 FROM member_changes LIMIT 1")
      yield* run("DELETE FROM member_changes WHERE sequence <= 30000")
      expect(yield* run(LAST_CHANGE)).toEqual([["30000"]])
      expect(yield* pagesOf(run, LAST_CHANGE)).toBeLessThan(before + 50)
    }))

  it.scopedLive("are before the last change of every guild, because they may have been its changes", () =>
    Effect.gen(function*() {
      const run = yield* clientOn(yield* migrated)
      yield* run(insert("member_changes", 1, 101_500))
      yield* run(insert("new_member_changes", 1, 1000))
      yield* run(KEEP_LOGS)
      const number = (statement: string) => Effect.flatMap(run(statement), decodeNumber)
      const removed = yield* number("SELECT min(sequence) - 1 FROM member_changes")
      expect(removed).toBeGreaterThan(0)
      const last = yield* number(LAST_CHANGE)
      expect(last).toBeGreaterThanOrEqual(removed)
    }))
})
