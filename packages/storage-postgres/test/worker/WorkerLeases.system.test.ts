import { WorkerNumber } from "@community-messaging/domain/shared-kernel/WorkerNumber"
import * as Inspection from "@community-messaging/storage-postgres/Inspection"
import * as PostgresDatabase from "@community-messaging/storage-postgres/PostgresDatabase"
import * as WorkerLeases from "@community-messaging/storage-postgres/WorkerLeases"
import { describe, expect, it, vi } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Option, Redacted, Schedule, Scope } from "effect"
import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import { emptyDatabase } from "../../../../test/Postgres.ts"
import { proxy } from "../../../../test/Proxy.ts"
import { clientOf } from "../SharedTransactions.ts"

/** A lease whose end a test waits for. Long enough for a busy machine to renew it in time. */
const SHORT_LEASE = "1500 millis"

const TYPESCRIPT_PROCESS = fileURLToPath(new URL("../../../../test/TypeScriptProcess.mjs", import.meta.url))
const PROGRAM = fileURLToPath(new URL("./GeneratingIds.ts", import.meta.url))

const databaseOf = (url: string, poolSize = 2) => PostgresDatabase.layer({ url: Redacted.make(url), poolSize })

/** The worker number of a process on the database, until the scope ends. */
const processOn = (url: string, lease: `${number} millis` = "30000 millis", poolSize?: number) =>
  Effect.map(
    Layer.build(Layer.provide(WorkerLeases.layer({ lease }), databaseOf(url, poolSize))),
    Context.get(WorkerNumber)
  )

/** Creates the schema, and returns how many worker numbers are free. */
const free = (url: string) =>
  Effect.scoped(Layer.build(databaseOf(url))).pipe(
    Effect.zipRight(Inspection.inspect({ url: Redacted.make(url) })),
    Effect.map(({ content }) => Option.getOrThrow(content).freeWorkers)
  )

/** A new database, and the rows of a statement on a connection of the test. */
const database = Effect.gen(function*() {
  const url = yield* emptyDatabase
  const client = yield* clientOf(url)
  const query = (text: string) =>
    Effect.map(Effect.promise(() => client.query<Record<string, unknown>>(text)), ({ rows }) => rows)
  return { query, url }
})

/** Repeats the effect until its result is the wanted one. */
const eventually = <A, E, R>(ask: Effect.Effect<A, E, R>, isWanted: (answer: A) => boolean): Effect.Effect<A, E, R> =>
  Effect.filterOrElse(ask, isWanted, () => Effect.zipRight(Effect.sleep("5 millis"), eventually(ask, isWanted)))

const OTHERS_FOR_EVER = (worker: number) => `UPDATE worker_leases SET expires_at = 'infinity' WHERE worker <> ${worker}`

describe("worker numbers by leases", () => {
  it.scopedLive("are different for processes that start at the same time", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const processes = yield* Effect.all(Array.from({ length: 8 }, () => processOn(url)), {
        concurrency: "unbounded"
      })
      const numbers = yield* Effect.forEach(processes, ({ current }) => current)
      expect(new Set(numbers).size).toBe(8)
      expect(yield* free(url)).toBe(1024 - 8)
    }))

  it.scopedLive("are free again after a graceful stop, and reused last", () =>
    Effect.gen(function*() {
      const url = yield* emptyDatabase
      const scope = yield* Scope.make()
      const before = yield* (yield* Scope.extend(processOn(url), scope)).current
      yield* Scope.close(scope, Exit.void)
      expect(yield* free(url)).toBe(1024)
      expect(yield* (yield* processOn(url)).current).not.toBe(before)
    }))

  it.scopedLive("of a killed process are reused only after its lease", () =>
    Effect.gen(function*() {
      const { query, url } = yield* database
      yield* free(url)
      yield* query(OTHERS_FOR_EVER(7))
      yield* query("UPDATE worker_leases SET expires_at = clock_timestamp() + '1 s' WHERE worker = 7")
      const [{ ends } = {}] = yield* query("SELECT expires_at::text AS ends FROM worker_leases WHERE worker = 7")
      const refused = yield* Effect.flip(Effect.scoped(processOn(url)))
      expect(refused).toMatchObject({ operation: "reserve a worker number: running processes have all 1024" })
      const next = yield* Effect.retry(processOn(url), Schedule.spaced("20 millis"))
      expect(yield* next.current).toBe(7)
      expect(yield* query(`SELECT clock_timestamp() > '${String(ends)}' AS over`)).toEqual([{ over: true }])
    }))

  it.scopedLive("stay with a process that renews them, longer than a lease", () =>
    Effect.gen(function*() {
      const { query, url } = yield* database
      const { current } = yield* processOn(url, SHORT_LEASE)
      const before = yield* current
      const [{ ends } = {}] = yield* query("SELECT expires_at::text AS ends FROM worker_leases WHERE owner IS NOT NULL")
      yield* eventually(
        query(`SELECT clock_timestamp() > '${String(ends)}' AS over`),
        ([row]) => row?.["over"] === true
      )
      expect(yield* current).toBe(before)
    }))

  it.scopedLive("end when the lease cannot be renewed, come back with the database, and change after another process got the old one", () =>
    Effect.gen(function*() {
      const { query, url } = yield* database
      const { beforeUse, current } = yield* processOn(url, SHORT_LEASE)
      const before = yield* current
      let prepared = 0
      yield* beforeUse(Effect.sync(() => {
        prepared += 1
      }))
      yield* query("BEGIN")
      yield* query("SELECT FROM worker_leases WHERE owner IS NOT NULL FOR UPDATE")
      yield* eventually(
        query("SELECT expires_at <= clock_timestamp() AS has_ended FROM worker_leases WHERE owner IS NOT NULL"),
        ([lease]) => lease?.["has_ended"] === true
      )
      // From now on, another process may take it.
      expect(yield* Effect.merge(current)).toMatchObject({ _tag: "StorageError" })
      yield* query("COMMIT")
      // No other process had it in the meantime.
      expect(yield* eventually(Effect.merge(current), (answer) => typeof answer === "number")).toBe(before)
      expect(prepared).toBe(1)
      yield* query(
        "UPDATE worker_leases SET owner = gen_random_uuid(), expires_at = 'infinity' WHERE owner IS NOT NULL"
      )
      const after = yield* eventually(
        Effect.merge(current),
        (answer) => typeof answer === "number" && answer !== before
      )
      // The new one is prepared again.
      expect([typeof after, prepared]).toEqual(["number", 2])
    }))

  it.scopedLive("are renewed at once after the clock of the process was set forward", () =>
    Effect.gen(function*() {
      const { url } = yield* database
      const { current } = yield* processOn(url, "3600000 millis")
      const before = yield* current
      const now = Date.now.bind(Date)
      vi.spyOn(Date, "now").mockImplementation(() => now() + 86_400_000)
      yield* Effect.addFinalizer(() => Effect.sync(() => vi.restoreAllMocks()))
      // Another process may have it in the meantime, because the machine may have slept.
      expect(yield* Effect.merge(current)).toMatchObject({ _tag: "StorageError" })
      // Without that, the next renewal is after 20 minutes.
      expect(yield* eventually(Effect.merge(current), (answer) => typeof answer === "number")).toBe(before)
    }))

  it.scopedLive("stay with a process whose connection is silent, because it renews them on another one", () =>
    Effect.gen(function*() {
      const { query, url: direct } = yield* database
      const { fallSilent, url: { href: url } } = yield* proxy(direct)
      const { current } = yield* processOn(url, "6000 millis", 1)
      const before = yield* current
      const [{ ends } = {}] = yield* query(
        "SELECT expires_at::text AS ends FROM worker_leases WHERE owner IS NOT NULL"
      )
      yield* fallSilent
      const isRenewed = query(`SELECT FROM worker_leases WHERE expires_at > '${String(ends)}'`)
      const [answer] = yield* eventually(
        Effect.all([Effect.merge(current), isRenewed]),
        ([number, renewed]) => number !== before || renewed.length > 0
      )
      expect(answer).toBe(before)
    }))
})

/** The results that a process in the background sends, in their order. */
const answersOf = (child: ChildProcess) => {
  const answers: Array<unknown> = []
  child.on("message", (answer) => answers.push(answer))
  return answers
}

describe("a process that is paused for longer than its lease", () => {
  it.scopedLive("does not use a number that another one has in the meantime", () =>
    Effect.gen(function*() {
      const { query, url } = yield* database
      yield* free(url)
      yield* query(OTHERS_FOR_EVER(9))
      const child = yield* Effect.acquireRelease(
        Effect.sync(() => fork(TYPESCRIPT_PROCESS, [PROGRAM, url, "500"])),
        (made) => Effect.sync(() => made.kill("SIGKILL"))
      )
      const answers = answersOf(child)
      yield* eventually(Effect.sync(() => answers.at(-1)), (answer) => answer === 9)
      child.kill("SIGSTOP")
      const other = yield* Effect.retry(processOn(url), Schedule.spaced("20 millis"))
      expect(yield* other.current).toBe(9)
      const said = answers.length
      child.kill("SIGCONT")
      yield* eventually(Effect.sync(() => answers.length), (length) => length > said + 20)
      // Results from before the pause may have been in transit.
      expect(new Set(answers.slice(said + 10))).toEqual(new Set(["none"]))
    }))
})
