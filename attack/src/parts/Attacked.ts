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

/** Time for the server to become as fast as it is, so that the quiet time is not slow by itself. */
const WARM_UP_MILLIS = 3000

/** The time that each attack gets at least. */
const LEAST_MILLIS = 50

/** Time for what an attack left behind, so that the next one does not pay for it. */
const RECOVERY_MILLIS = 500

/** An attack that has not ended that long after its time: the server is killed, which counts as a broken bound. */
const PATIENCE_MILLIS = 20_000

/** Searches until the guild is indexed: the bound of memory is with an index. */
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

/** How often the neutral caller asks: often enough for a hundredth of its answers to be some, where time is measured. */
const ASKS_EVERY_MILLIS = { short: 25, long: 5 }

/** A neutral caller and the attackers beside the server. */
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
  const scene = beside(server, ASKS_EVERY_MILLIS.long, attackers)
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
  const late = setTimeout(() => void server.kill(), Math.max(millis, attack.leastMillis ?? 0) + PATIENCE_MILLIS)
  try {
    return await Watching.during(attack.name, scene, () => attack.run(server, millis))
  } finally {
    clearTimeout(late)
  }
}

/** Attacks a server that is not this part's alone, and measures no time. */
const attackShortly = (assignment: Assignment, attackers: Attackers.Attackers): Promise<PartResult> =>
  assignment.serve(async (server) => {
    const scene = beside(server, ASKS_EVERY_MILLIS.short, attackers)
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

/** Attacks a server with a large guild, and another one if that ends. */
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
        // The next attack is to meet a server, too.
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
