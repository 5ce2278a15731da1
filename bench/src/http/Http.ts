import { Effect, Schema } from "effect"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { inTurn } from "../report/InTurn.ts"
import type { PartResult, RunOptions } from "../report/Measurement.ts"
import * as TemporaryDirectory from "../report/TemporaryDirectory.ts"
import * as Community from "./Community.ts"
import * as Conformity from "./Conformity.ts"
import { type Operation, OPERATIONS } from "./Exchanges.ts"
import * as HttpReport from "./HttpReport.ts"
import { CONNECTIONS, type LoadOrder, LoadResult } from "./Load.ts"
import * as Process from "./Process.ts"
import { useCases } from "./service/Service.ts"
import * as Subjects from "./Subjects.ts"

const WARM_UP_SECONDS = { quick: 0.3, full: 5 } as const
const ROUND_SECONDS = { quick: 0.4, full: 1.5 } as const
const ROUNDS = { quick: 1, full: 3 } as const

const loadProgram = fileURLToPath(new URL("LoadProcess.js", import.meta.url))

const seed = (directory: string): Promise<Community.Facts> =>
  Effect.runPromise(
    Community.make.pipe(
      Effect.provide(useCases(join(directory, Subjects.DATABASE), 2)),
      Effect.withTracerEnabled(false)
    )
  )

const loadGenerator = (factsFile: string) => {
  const child = Process.start("load", [loadProgram, factsFile])
  return {
    child,
    run: async (order: LoadOrder): Promise<LoadResult> => {
      child.send(order)
      const result = Schema.decodeUnknownSync(LoadResult)(await Process.nextMessage(child))
      if (result.failures > 0) {
        throw new Error(
          `${result.failures} requests of ${order.operation} failed, with status ${result.failedStatuses.join(", ")}.`
        )
      }
      return result
    }
  }
}

/** A round with fewer answers than this, on a machine that is slow or busy, is made again and takes twice as long. */
const FEWEST_REQUESTS = { quick: CONNECTIONS, full: 4 * CONNECTIONS } as const
const LONGEST_ROUND_SECONDS = { quick: 1, full: 6 } as const

const enough = async (
  size: "quick" | "full",
  load: (seconds: number) => Promise<LoadResult>,
  seconds: number
): Promise<LoadResult> => {
  const result = await load(seconds)
  return result.requests >= FEWEST_REQUESTS[size] || seconds >= LONGEST_ROUND_SECONDS[size]
    ? result
    : enough(size, load, seconds * 2)
}

/**
 * Warms all servers up on all operations, as a server that serves all of them is: until then the figures are those of the
 * compiler. Then a round is every operation in turn, and within it one server after the other, so that what is compared is
 * close in time.
 */
const measure = async (
  running: ReadonlyArray<Subjects.Running>,
  run: (order: LoadOrder) => Promise<LoadResult>,
  { calibrate, log, quick }: RunOptions
): Promise<HttpReport.Measured> => {
  const size = quick ? "quick" : "full"
  const measured = HttpReport.empty()
  let pass = 0
  const load = (port: number, operation: Operation, seconds: number) => {
    pass += 1
    return run({ port, operation, seconds, pass })
  }
  await inTurn(OPERATIONS, (operation) => {
    log(`warming up: ${operation} …`)
    return inTurn(running, ({ port }) => load(port, operation, WARM_UP_SECONDS[size]))
  })
  const rounds = Array.from({ length: ROUNDS[size] }, (_, index) => index + 1)
  await inTurn(rounds, (round) => {
    log(`round ${round} of ${rounds.length} …`)
    return inTurn(OPERATIONS, async (operation) => {
      calibrate()
      await inTurn(running, async ({ port, subject }) => {
        const result = await enough(size, (seconds) => load(port, operation, seconds), ROUND_SECONDS[size])
        measured[subject][operation].push(result)
      })
      log(HttpReport.line(operation, measured))
    })
  })
  return measured
}

/** Ours and its peers under load: every operation through a socket, at 64 connections, one core for the server. */
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
      options.log("comparing what the servers answer …")
      const compared = await Conformity.check(running, facts)
      const load = loadGenerator(factsFile)
      try {
        return HttpReport.make(await measure(running, load.run, options), compared)
      } finally {
        await Process.stop(load.child)
      }
    } finally {
      await Promise.all(running.map(({ process }) => Process.stop(process)))
    }
  })
