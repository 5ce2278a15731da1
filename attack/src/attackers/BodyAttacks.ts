import { webhookPath } from "../community/Community.ts"
import { exchange } from "../traffic/HttpExchange.ts"
import { repeatedly } from "../traffic/Repeat.ts"
import type { Attack } from "./Attack.ts"
import { HOSTILE_BODIES } from "./HostileBodies.ts"
import { dataUri, hostileImages } from "./HostileImages.ts"

/*
 * Bodies and images that cost the server more than their sender.
 */

/** Connections that send at a time, and the size of their bodies as a part of the largest. */
const scaleOf = (short: boolean) => short ? { connections: 2, part: 1 / 16 } : { connections: 6, part: 1 }

const ofBodies = (short: boolean): ReadonlyArray<Attack> => {
  const { connections, part } = scaleOf(short)
  // In the short form a large body is as small as a small one.
  const bodies = HOSTILE_BODIES.filter(({ name }) => !short || !name.endsWith(", small"))
  return bodies.map(({ body, limit, name, request }) => ({
    name,
    run: async (target, tally, millis) => {
      const bytes = body(limit * part)
      await repeatedly(millis, connections, async (turn) => tally.add(await exchange(target, request(turn, bytes))))
      return []
    }
  }))
}

const ofImages = async (short: boolean): Promise<ReadonlyArray<Attack>> =>
  (await hostileImages(short)).map(([name, image]) => ({
    name,
    run: async (target, tally, millis) => {
      const body = { avatar: dataUri(image) }
      await repeatedly(
        millis,
        scaleOf(short).connections,
        async (turn) => tally.add(await exchange(target, { method: "PATCH", path: webhookPath(turn), body }))
      )
      return []
    }
  }))

export const bodyAttacks = async (short: boolean): Promise<ReadonlyArray<Attack>> => [
  ...ofBodies(short),
  ...await ofImages(short)
]
