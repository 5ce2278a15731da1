import { inTurn } from "@community-messaging/bench/report/InTurn"
import { setTimeout as sleep } from "node:timers/promises"
import { GUILD, neutralToken, SIZE } from "../community/Community.ts"
import * as DataDirectory from "../community/DataDirectory.ts"
import type { Assignment, PartResult } from "../Part.ts"
import * as Watching from "../report/Watching.ts"
import * as Server from "../server/ServerProcess.ts"
import { exchange } from "../traffic/HttpExchange.ts"
import * as Neutral from "../traffic/NeutralCaller.ts"
import type { Tally } from "../traffic/Tally.ts"

/** An attack on a server. It counts the answers that it gets. */
export interface Attack {
  readonly name: string
  readonly run: (server: Server.ServerProcess, tally: Tally, millis: number) => Promise<unknown>
}

const MEMBERS = { short: 0, long: 100_000 }

/** The time that each attack gets at least. */
const LEAST_MILLIS = 50

/** Time for what an attack left behind, so that the next one does not pay for it. */
const RECOVERY_MILLIS = 1000

/** An attack that has not ended that long after its time: the server is killed, which counts as a broken bound. */
const PATIENCE_MILLIS = { short: 5000, long: 20_000 }

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

/** Runs one attack after the other against one server, beside a neutral caller. */
export const attackInTurn = (
  title: string,
  assignment: Assignment,
  attacks: ReadonlyArray<Attack>,
  settings: Readonly<Record<string, string>> = {}
): Promise<PartResult> =>
  DataDirectory.use(
    assignment.short ? MEMBERS.short : MEMBERS.long,
    (directory) =>
      Server.use({ directory, settings }, async (first) => {
        let server = first
        await untilIndexed(server)
        const tokens = Array.from({ length: SIZE.neutral }, (_, index) => neutralToken(index))
        let neutral = Neutral.start(server, tokens)
        const before = await Watching.quiet(assignment, server, neutral)
        const millis = Math.max(LEAST_MILLIS, (assignment.seconds * 1000) / attacks.length)
        const observations = await inTurn(attacks, async ({ name, run }) => {
          assignment.log(name)
          const attacked = server
          const patience = millis + (assignment.short ? PATIENCE_MILLIS.short : PATIENCE_MILLIS.long)
          const late = setTimeout(() => void attacked.kill(), patience)
          const observation = await Watching.during(name, attacked, neutral, (tally) => run(attacked, tally, millis))
          clearTimeout(late)
          if (!server.isRunning()) {
            // The others are to meet a server, too.
            neutral.stop()
            server = await Server.start({ directory, settings })
            await untilIndexed(server)
            neutral = Neutral.start(server, tokens)
          }
          if (!assignment.short) await sleep(RECOVERY_MILLIS)
          return observation
        })
        neutral.stop()
        const errors = server.errors()
        await server.kill()
        const bounds = observations.flatMap((observation) => Watching.bounds(assignment, before, observation))
        return {
          tables: [Watching.table(title, [before, ...observations])],
          bounds: [...bounds, {
            what: "errors in the log",
            goal: "none",
            measured: errors[0] ?? "none",
            reached: errors.length === 0
          }]
        }
      })
  )
