import { Effect } from "effect"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { inTurn } from "../report/InTurn.ts"
import type { PartResult, RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import * as Community from "./Community.ts"
import * as Conformity from "./Conformity.ts"
import { MEASURED } from "./Exchanges.ts"
import * as HttpReport from "./HttpReport.ts"
import type { LoadOrder, LoadResult } from "./Load.ts"
import * as LoadGenerator from "./LoadGenerator.ts"
import * as Process from "./Process.ts"
import * as Subjects from "./Subjects.ts"
import { useCases } from "./UseCases.ts"

/** The requests of an operation that each server gets in every round, and the rounds: first those that are not measured. */
const PLAN = {
  quick: { requests: 2000, warmUpRounds: 1, rounds: 2 },
  full: { requests: 6000, warmUpRounds: 2, rounds: 5 }
} as const

const seed = (directory: string): Promise<Community.Facts> =>
  Effect.runPromise(
    Community.make.pipe(
      Effect.provide(useCases(join(directory, Subjects.DATABASE), 2)),
      Effect.withTracerEnabled(false)
    )
  )

/** Rotates the items, so that no subject is always the first. */
const rotated = <A>(items: ReadonlyArray<A>, by: number): ReadonlyArray<A> =>
  items.map((item, index) => items[(index + by) % items.length] ?? item)

const roundsOf = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

/**
 * Warms all servers up with all operations, because until then the compiler takes much of the time: in the second round, a
 * request still takes some 5 % more than later. A round then measures every operation in turn, each on one server after the
 * other, so that compared figures are close in time.
 */
const measure = async (
  running: ReadonlyArray<Subjects.Running>,
  run: (order: LoadOrder) => Promise<LoadResult>,
  { calibrate, log, quick }: RunOptions
): Promise<HttpReport.Measured> => {
  const { requests, rounds, warmUpRounds } = PLAN[quick ? "quick" : "full"]
  const measured = HttpReport.empty()
  let pass = 0
  const load = (port: number, operation: LoadOrder["operation"]) => {
    pass += 1
    return run({ port, operation, requests, pass })
  }
  await inTurn(roundsOf(warmUpRounds), (round) => {
    log(`warming up: round ${round} of ${warmUpRounds} …`)
    return inTurn(MEASURED, (operation) => inTurn(running, ({ port }) => load(port, operation)))
  })
  await inTurn(roundsOf(rounds), (round) => {
    log(`round ${round} of ${rounds} …`)
    return inTurn(MEASURED, async (operation) => {
      calibrate()
      await inTurn(rotated(running, round), async (server) => {
        const before = await Subjects.processorMicros(server)
        const result = await load(server.port, operation)
        const processorMicros = (await Subjects.processorMicros(server) - before) / result.requests
        measured[server.subject][operation].push({ processorMicros, requestsPerSecond: result.requestsPerSecond })
      })
      log(HttpReport.line(operation, measured))
    })
  })
  return measured
}

/** The floor, ours and Fastify under load: every operation through a socket, one core for the server. */
export const run = (options: RunOptions): Promise<PartResult> =>
  TemporaryDirectory.use(async (directory) => {
    const seeded = join(directory, "seed")
    mkdirSync(seeded)
    options.log("making a community to work on …")
    const facts = await seed(seeded)
    const factsFile = join(directory, "facts.json")
    writeFileSync(factsFile, JSON.stringify(facts))

    const running: Array<Subjects.Running> = []
    try {
      await inTurn(Subjects.SUBJECTS, async (subject, index) => {
        const own = join(directory, `subject-${index}`)
        cpSync(seeded, own, { recursive: true })
        running.push(await Subjects.start(subject, own))
      })
      options.log("comparing the servers' responses …")
      const compared = await Conformity.check(running, facts)
      const load = LoadGenerator.start(factsFile)
      try {
        return HttpReport.make(await measure(running, load.run, options), compared)
      } finally {
        await load.stop()
      }
    } finally {
      await Promise.all(running.map(({ process }) => Process.stop(process)))
    }
  })
