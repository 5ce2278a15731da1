import { Effect } from "effect"
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs"
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

/** How much is measured. */
interface Plan {
  /** The requests of an operation that each server gets in every round. */
  readonly requests: number
  /**
   * How often all servers are started. V8 compiles the same code differently in each process, so that two processes of one
   * server differ by more than two rounds of one process.
   */
  readonly starts: number
  /** The rounds of each start: first those that are not measured. */
  readonly warmUpRounds: number
  readonly rounds: number
}

const QUICK: Plan = { requests: 2000, starts: 1, warmUpRounds: 1, rounds: 2 }
const FULL: Plan = { requests: 6000, starts: 5, warmUpRounds: 2, rounds: 1 }

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

/** The numbers from 1 on. */
const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)

/** Loads a server with an operation. */
type Load = (port: number, operation: LoadOrder["operation"]) => Promise<LoadResult>

/**
 * Warms all servers up with all operations, because until then the compiler takes much of the time: in the second round, a
 * request still takes some 5 % more than later. A round then measures every operation in turn, each on one server after the
 * other, so that compared figures are close in time. Adds the figures to `measured`.
 */
const measure = async (
  running: ReadonlyArray<Subjects.Running>,
  load: Load,
  measured: HttpReport.Measured,
  { rounds, warmUpRounds }: Plan,
  { calibrate, log }: RunOptions
): Promise<void> => {
  await inTurn(upTo(warmUpRounds), (round) => {
    log(`warming up: round ${round} of ${warmUpRounds} …`)
    return inTurn(MEASURED, (operation) => inTurn(running, ({ port }) => load(port, operation)))
  })
  await inTurn(upTo(rounds), (round) => {
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
}

/** Starts all servers, each on a copy of the database of its own, and stops them after their use. */
const withServers = async (
  directory: string,
  seeded: string,
  subjects: ReadonlyArray<Subjects.Subject>,
  use: (running: ReadonlyArray<Subjects.Running>) => Promise<void>
): Promise<void> => {
  const running: Array<Subjects.Running> = []
  try {
    await inTurn(subjects, async (subject) => {
      const own = mkdtempSync(join(directory, "subject-"))
      cpSync(seeded, own, { recursive: true })
      running.push(await Subjects.start(subject, own))
    })
    await use(running)
  } finally {
    await Promise.all(running.map(({ process }) => Process.stop(process)))
  }
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

    const plan = options.quick ? QUICK : FULL
    const measured = HttpReport.empty()
    let compared = ""
    const generator = LoadGenerator.start(factsFile)
    let pass = 0
    const load: Load = (port, operation) => {
      pass += 1
      return generator.run({ port, operation, requests: plan.requests, pass })
    }
    try {
      await inTurn(upTo(plan.starts), (start) => {
        options.log(`start ${start} of ${plan.starts} …`)
        return withServers(directory, seeded, rotated(Subjects.SUBJECTS, start - 1), async (running) => {
          if (start === 1) {
            options.log("comparing the servers' responses …")
            compared = await Conformity.check(running, facts)
          }
          await measure(running, load, measured, plan, options)
        })
      })
    } finally {
      await generator.stop()
    }
    return HttpReport.make(measured, compared)
  })
