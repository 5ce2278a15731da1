import { inTurn } from "@community-messaging/bench/report/InTurn"
import { setTimeout as sleep } from "node:timers/promises"
import * as Attackers from "../attackers/Attackers.ts"
import type { Plan } from "../attackers/Orders.ts"
import { GUILD, neutralToken, SIZE } from "../community/Community.ts"
import * as DataDirectory from "../community/DataDirectory.ts"
import type { Assignment, PartResult } from "../Part.ts"
import * as Bound from "../report/Bound.ts"
import * as Watching from "../report/Watching.ts"
import * as Server from "../server/ServerProcess.ts"
import { exchange } from "../traffic/HttpExchange.ts"
import * as Neutral from "../traffic/NeutralCaller.ts"

const MEMBERS = 100_000

/** Time for the server to reach its full speed, so that the quiet time is not slow. */
const WARM_UP_MILLIS = 3000

/** The least time of an attack. */
const LEAST_MILLIS = 50

/** Time for the server to finish the work of an attack, so that it does not affect the next one. */
const RECOVERY_MILLIS = 500

/** If an attack has not ended that long after its time, the server is killed, which breaks a bound. */
const OVERTIME_MILLIS = 20_000

/** Searches until the guild is indexed: the bound of memory includes the index. */
const untilIndexed = async (server: Server.ServerProcess): Promise<void> => {
  const { body } = await exchange(server, {
    path: `/v1/guilds/${GUILD}/members-search`,
    headers: { authorization: `Bot ${neutralToken(0)}` },
    body: { query: "a" }
  })
  if (!body.includes("\"indexing\":true")) return
  await sleep(500)
  await untilIndexed(server)
}

const TOKENS = Array.from({ length: SIZE.neutral }, (_, index) => neutralToken(index))

/** The interval of the neutral caller's requests; in the long form, short enough that p99 is of several responses. */
const NEUTRAL_EVERY_MILLIS = { short: 25, long: 5 }

/** The scene of a server, the attackers, and a new neutral caller. */
const beside = (
  server: Server.ServerProcess,
  everyMillis: number,
  { pid }: Attackers.Attackers
): Watching.Scene => ({
  server,
  neutral: Neutral.start(server, TOKENS, everyMillis),
  attackers: pid
})

const makeScene = async (directory: string, attackers: Attackers.Attackers): Promise<Watching.Scene> => {
  const server = await Server.start({ directory })
  await untilIndexed(server)
  const scene = beside(server, NEUTRAL_EVERY_MILLIS.long, attackers)
  await sleep(WARM_UP_MILLIS)
  return scene
}

const endScene = async ({ neutral, server }: Watching.Scene): Promise<void> => {
  neutral.stop()
  await server.kill()
}

const observe = async (
  scene: Watching.Scene,
  attack: Attackers.Planned,
  millis: number
): Promise<Watching.Observation> => {
  const { server } = scene
  const late = setTimeout(() => void server.kill(), Math.max(millis, attack.leastMillis ?? 0) + OVERTIME_MILLIS)
  try {
    return await Watching.during(attack.name, scene, () => attack.run(server, millis))
  } finally {
    clearTimeout(late)
  }
}

/** Attacks a server that all parts share, and measures no times. */
const attackShortly = (assignment: Assignment, attackers: Attackers.Attackers): Promise<PartResult> =>
  assignment.serve(async (server) => {
    const scene = beside(server, NEUTRAL_EVERY_MILLIS.short, attackers)
    const before = await Watching.quiet(assignment, scene)
    const observations = await inTurn(attackers.attacks, (attack) => observe(scene, attack, LEAST_MILLIS))
    scene.neutral.stop()
    return {
      tables: [],
      bounds: [
        ...observations.flatMap((observation) => Watching.bounds(assignment, before, observation)),
        Bound.none("errors in the log", server.errors())
      ]
    }
  })

/** Attacks a server with a large guild; starts another server if that one ends. */
const attackAtLength = (
  title: string,
  assignment: Assignment,
  attackers: Attackers.Attackers
): Promise<PartResult> =>
  DataDirectory.use(MEMBERS, async (directory) => {
    let scene = await makeScene(directory, attackers)
    const before = await Watching.quiet(assignment, scene)
    const errors: Array<string> = []
    const millis = Math.max(LEAST_MILLIS, (assignment.seconds * 1000) / attackers.attacks.length)
    const observations = await inTurn(attackers.attacks, async (attack) => {
      const observation = await observe(scene, attack, millis)
      assignment.log(Watching.summary(observation))
      if (!observation.survived) {
        // The next attack needs a running server.
        errors.push(...scene.server.errors())
        await endScene(scene)
        scene = await makeScene(directory, attackers)
      }
      await sleep(RECOVERY_MILLIS)
      return observation
    })
    errors.push(...scene.server.errors())
    await endScene(scene)
    return {
      tables: [Watching.table(title, [before, ...observations])],
      bounds: [
        ...observations.flatMap((observation) => Watching.bounds(assignment, before, observation)),
        Bound.none("errors in the log", errors)
      ]
    }
  })

/** Runs all attacks of a kind one after the other against one server, beside a neutral caller. */
export const attackInTurn = async (
  title: string,
  assignment: Assignment,
  kind: Plan["kind"]
): Promise<PartResult> => {
  const { short } = assignment
  const attackers = await Attackers.start({ kind, short })
  try {
    return await (short
      ? attackShortly(assignment, attackers)
      : attackAtLength(title, assignment, attackers))
  } finally {
    attackers.stop()
  }
}
